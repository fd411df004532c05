package dev.chatflow.broker;

import java.util.HashMap;
import java.util.Map;

/**
 * Whether the broker is a single node or a cluster: determines which process creates the logs, and
 * what is replicated.
 */
public enum Nodes {
  /** Any process that needs a log creates it. */
  ONE,
  /** Logs were created after all nodes had joined; every other queue has a copy on every node. */
  SEVERAL;

  /** Returns the arguments of a durable queue that is not a log. */
  Map<String, Object> durable(Map<String, Object> arguments) {
    if (this == ONE) {
      return arguments;
    }
    Map<String, Object> copied = new HashMap<>(arguments);
    copied.put("x-queue-type", "quorum");
    copied.put("x-delivery-limit", -1); // otherwise messages delivered repeatedly are dropped
    return copied;
  }
}
