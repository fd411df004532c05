package dev.chatflow.server.edge;

import dev.chatflow.room.RoomId;
import dev.chatflow.server.publish.Fate;
import dev.chatflow.server.publish.LaneSender;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.publish.OfferResult;
import dev.chatflow.server.publish.WaitingLine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/** Lanes that keep every offered line. */
final class FakeLanes implements Lanes {

  final List<WaitingLine> offered = new ArrayList<>();
  final List<LaneSender> waiting = new ArrayList<>();
  boolean full;
  boolean open = true;
  boolean taking = true;
  long shutNanos;

  @Override
  public synchronized OfferResult offer(
      RoomId room, LongFunction<WaitingLine> line, LaneSender sender) {
    if (!taking) {
      waiting.add(sender);
      return OfferResult.NOT_NOW;
    }
    offered.add(line.apply(7));
    if (full) {
      waiting.add(sender);
    }
    return full ? OfferResult.ACCEPTED_AND_FULL : OfferResult.ACCEPTED;
  }

  /** Accepts lines from now on, and calls waiting senders. */
  void take() {
    taking = true;
    full = false;
    List<LaneSender> called = List.copyOf(waiting);
    waiting.clear();
    called.forEach(LaneSender::laneIsFree);
  }

  @Override
  public boolean acceptsNew(RoomId room) {
    return open;
  }

  @Override
  public void use(RoomId room) {}

  @Override
  public long openNanos(RoomId room, long nowNanos) {
    return nowNanos - shutNanos;
  }

  @Override
  public long retryAfterMillis() {
    return 250;
  }

  /** Returns the line at {@code index}. */
  String text(int index) {
    return new String(offered.get(index).bytes(), StandardCharsets.UTF_8);
  }

  Fate fate(int index) {
    return Objects.requireNonNull(offered.get(index).fate());
  }
}
