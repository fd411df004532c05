package dev.chatflow.server.edge;

import dev.chatflow.room.RoomId;
import dev.chatflow.server.publish.Drained;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.publish.Outgoing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Lanes that keep what they are offered. */
final class FakeLanes implements Lanes {

  final List<Outgoing> offered = new ArrayList<>();
  final List<Drained> waiting = new ArrayList<>();
  boolean full;
  boolean open = true;

  @Override
  public synchronized boolean offer(Outgoing message, Drained session) {
    offered.add(message);
    if (full) {
      waiting.add(session);
    }
    return !full;
  }

  @Override
  public boolean acceptsNew(RoomId room) {
    return open;
  }

  @Override
  public long retryAfterMillis() {
    return 250;
  }

  /** JOIN, or the line of the message at {@code index}. */
  String text(int index) {
    return switch (offered.get(index)) {
      case Outgoing.Join _ -> "JOIN";
      case Outgoing.Line line -> new String(line.bytes(), StandardCharsets.UTF_8);
    };
  }
}
