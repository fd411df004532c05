package dev.chatflow.lab.peer;

import dev.chatflow.lab.node.Node;
import dev.chatflow.server.ChatClient;
import java.net.URI;

/** A member that only looks: who joins and leaves its room from now on. */
public final class Watcher implements AutoCloseable {

  private static final int USER = 90_000;

  private final ChatClient client;
  private long joins;
  private long leaves;

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

  private void look() {
    for (String frame : client.received()) {
      joins += frame.contains("\"messageType\":\"JOIN\"") ? 1 : 0;
      leaves += frame.contains("\"messageType\":\"LEAVE\"") ? 1 : 0;
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
