package dev.chatflow.lab.peer;

import dev.chatflow.lab.node.Node;
import dev.chatflow.server.ChatClient;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;

/** A member that only observes JOINs, LEAVEs and texts of its room. */
public final class Watcher implements AutoCloseable {

  private static final int USER = 90_000;

  private final ChatClient client;
  private long joins;
  private long leaves;
  private final Set<String> texts = new HashSet<>();
  private long repeats;

  private Watcher(ChatClient client) {
    this.client = client;
  }

  public static Watcher of(Node server, int room) {
    return new Watcher(ChatClient.joined(URI.create(server.url() + "/" + room), USER));
  }

  public long joins() {
    look();
    return joins;
  }

  public long leaves() {
    look();
    return leaves;
  }

  /** Returns the number of received texts. */
  public long texts() {
    look();
    return texts.size();
  }

  /** Returns the number of repeated texts. */
  public long repeats() {
    look();
    return repeats;
  }

  private void look() {
    for (String frame : client.received()) {
      if (frame.contains("\"messageType\":\"TEXT\"")) {
        repeats += texts.add(frame) ? 0 : 1;
      }
      joins += frame.contains("\"messageType\":\"JOIN\"") ? 1 : 0;
      leaves += frame.contains("\"messageType\":\"LEAVE\"") ? 1 : 0;
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
