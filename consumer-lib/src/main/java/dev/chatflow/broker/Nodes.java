package dev.chatflow.broker;

import java.util.HashMap;
import java.util.Map;

/** Whether the broker is one node or a cluster: decides who makes the logs, and what is copied. */
public enum Nodes {
  /** Whoever needs a log makes it. */
  ONE,
  /** Logs were made when all nodes had joined; each other queue has a copy on every node. */
  SEVERAL;

  /** The arguments of a durable queue that is no log. */
  Map<String, Object> durable(Map<String, Object> arguments) {
    if (this == ONE) {
      return arguments;
    }
    Map<String, Object> copied = new HashMap<>(arguments);
    copied.put("x-queue-type", "quorum");
    copied.put("x-delivery-limit", -1); // else what is handed over again and again is dropped
    return copied;
  }
}
