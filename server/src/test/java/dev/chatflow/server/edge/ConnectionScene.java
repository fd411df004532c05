package dev.chatflow.server.edge;

import static org.awaitility.Awaitility.await;

import dev.chatflow.identity.Access;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.sink.FakeTimer;
import dev.chatflow.server.sink.FakeWire;
import dev.chatflow.server.sink.PortableSink;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection to room 5 with its surroundings in memory: wire, lanes and meter. Tests of a
 * connection extend it.
 *
 * <p>It sends through a {@link PortableSink}, on separate threads: {@link #answer} waits.
 */
class ConnectionScene {

  static final String JOIN = frame("JOIN", 17, "user17", "");
  static final String LEAVE = frame("LEAVE", 17, "user17", "");
  static final String PING = "{\"messageType\":\"PING\"}";
  static final String TEXT = frame("TEXT", 17, "user17", "hello");

  final FakeWire wire = new FakeWire();
  final FakeLanes lanes = new FakeLanes();
  final CountingMeter meter = new CountingMeter();

  final FakeTimer timer = new FakeTimer();

  boolean wasPaused;

  /** With a window of 4 messages, and no rate limit. */
  final ChatConnection connection = connection(4, 0);

  /**
   * Creates another connection over the same wire, lanes and meter.
   *
   * @param window in messages
   * @param rate in messages per second; 0 = no limit
   */
  ChatConnection connection(int window, int rate) {
    Gate gate = TestEdge.gate(Access.open(), timer::millis);
    return connection(window, rate, gate, TestEdge.visitor("192.0.2.1"));
  }

  /** Creates one for a client accepted by this gate. */
  ChatConnection connection(int window, int rate, Gate gate, Gate.Visitor visitor) {
    ConnectionContext context =
        new TestEdge()
            .gate(gate)
            .window(window)
            .ratePerSecond(rate)
            .wasPaused(() -> wasPaused)
            .context(lanes, meter, timer);
    return new ChatConnection(
        "s-1", new RoomId("5"), visitor, wire, owner -> new PortableSink(wire, owner), context);
  }

  /** Returns an empty registry with this many slots. */
  ConnectionRegistry registry(int slots) {
    return new ConnectionRegistry(
        "server-1",
        1,
        TestEdge.slots(slots),
        new PendingLeaves(lanes, timer, "server-1", 1, 4, _ -> false));
  }

  /** Returns a frame of a client, valid or not. */
  static String frame(String type, int user, String name, String text) {
    return "{\"messageType\":\"%s\",\"userId\":\"%d\",\"username\":\"%s\",\"message\":\"%s\",\"timestamp\":\"2026-11-20T18:46:00Z\"}"
        .formatted(type, user, name, text);
  }

  /** Returns the text, ping or close that was sent at {@code index}, from 0; waits for it. */
  String answer(int index) {
    await().until(() -> wire.sent().size() > index);
    return wire.sent().get(index);
  }

  /** Counts rejections by code, peers lost, and writes that timed out. */
  static final class CountingMeter extends NoEdgeMeter {
    final TreeMap<String, Integer> refused = new TreeMap<>();
    final List<Loss> losses = new CopyOnWriteArrayList<>();
    final AtomicInteger timeouts = new AtomicInteger();

    @Override
    public void writeTimedOut() {
      timeouts.incrementAndGet();
    }

    @Override
    public void peerLost(Loss how) {
      losses.add(how);
    }

    @Override
    public void refused(String errorCode) {
      refused.merge(errorCode, 1, Integer::sum);
    }
  }
}
