package dev.chatflow.server.simulation.crowd;

import dev.chatflow.server.edge.Peer;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.world.Clock;
import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.World;
import dev.chatflow.server.sink.DirectWire;
import dev.chatflow.server.sink.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A connection between a client and a server, which delivers in order after a delay. */
public final class Socket implements Wire, DirectWire {

  private static final int TEXT = 0x81;
  private static final int TWO_BYTE_LENGTH = 126;

  /** The status for a client that is not accepted. */
  static final int REFUSED = 503;

  private static final long ANSWER_MILLIS = 20;
  private static final long TIMEOUT_MILLIS = 3_000;

  private final World world;
  private final SimulatedServer server;
  private final Edge edge;
  private final Client client;
  private final Visit visit;
  private final long number;
  private final Deque<String> inbox = new ArrayDeque<>();

  private @Nullable Peer peer;
  private long drawn;

  // The server's side.
  private long lastIn;
  private boolean suspended;
  private boolean closeSent;
  private boolean ended;

  // The client's side.
  private long lastOut;
  private long stalledUntil;
  private boolean gone;

  Socket(World world, SimulatedServer server, Client client, Visit visit, long number) {
    this.world = world;
    this.server = server;
    this.edge = (Edge) server.guests();
    this.client = client;
    this.visit = visit;
    this.number = number;
    edge.comes(this);
    inward(this::open);
  }

  Visit visit() {
    return visit;
  }

  private int below(int bound) {
    return world.dice().below(bound, Channel.SOCKET, number * 10_000 + drawn++);
  }

  /** Schedules an event at the server, after everything sent before. */
  private void inward(Runnable what) {
    lastIn = Math.max(lastIn, world.clock().now() + (1 + below(3)) * Clock.MILLI);
    world.clock().at(lastIn, what);
  }

  // --- the client's side

  void send(String frame) {
    if (!gone) {
      inward(() -> {
        inbox.add(frame);
        server.later(0, this::pump);
      });
    }
  }

  /** Stops reading for a while. */
  void stall(long millis) {
    stalledUntil = world.clock().now() + millis * Clock.MILLI;
    visit.stall();
  }

  /** Disconnects the client and drops everything in flight to it. */
  void leave(long noticedMillis) {
    gone = true;
    visit.closed(Visit.BROKEN);
    lastIn = Math.max(lastIn, world.clock().now() + noticedMillis * Clock.MILLI);
    inward(() -> server.later(0, this::hangUp));
  }

  // --- the server's side

  private void open() {
    server.later(
        0,
        () -> {
          peer = edge.open(this);
          if (peer == null) {
            hangUp();
            outward(() -> closed(REFUSED));
          }
        });
  }

  /** Reads what has arrived, unless reading is paused; one more frame may be read then. */
  private void pump() {
    Peer to = peer;
    boolean more = !suspended || below(4) == 0;
    while (to != null && more && !ended && !inbox.isEmpty()) {
      to.receive(inbox.remove());
      more = !suspended || below(8) == 0;
    }
  }

  private void hangUp() {
    if (!ended) {
      ended = true;
      edge.gone(this);
      Peer known = peer;
      if (known != null) {
        known.ended();
      }
    }
  }

  /** Handles the death of its server. */
  void serverDied() {
    ended = true;
    edge.gone(this);
    world.clock().after(1 + below(50), () -> closed(Visit.BROKEN));
  }

  private void closed(int code) {
    if (!gone) {
      gone = true;
      visit.closed(code);
      client.closed(visit, code);
    }
  }

  /** Handles a loss of its server that concerns its member. */
  void doom() {
    visit.doom();
  }

  @Override
  public void suspend() {
    suspended = true;
  }

  @Override
  public void resume() {
    suspended = false;
    server.later(0, this::pump);
  }

  @Override
  public boolean isAnswered() {
    return ended;
  }

  @Override
  public long framesRead() {
    return 0; // only messages are sent here
  }

  @Override
  public boolean tryBegin() {
    return true;
  }

  @Override
  public boolean isCloseSent() {
    return closeSent;
  }

  @Override
  public void end() {}

  /** Schedules an event at the client, after everything sent before. */
  private void outward(Runnable what) {
    long soon = world.clock().now() + (1 + below(3)) * Clock.MILLI;
    lastOut = Math.max(Math.max(lastOut, soon), stalledUntil);
    world.clock().at(lastOut, what);
  }

  @Override
  public Started write(ByteBuffer[] frames, CompletionHandler<Long, @Nullable Void> handler) {
    byte[] bytes = bytes(frames);
    outward(() -> arrive(bytes));
    boolean waits = stalledUntil > world.clock().now() || below(6) == 0;
    if (!waits) {
      return Started.WRITTEN;
    }
    server.later(
        Math.max(0, lastOut - world.clock().now()),
        () -> {
          if (ended) {
            handler.failed(new IOException("gone"), null);
          } else {
            handler.completed((long) bytes.length, null);
          }
        });
    return Started.IN_THE_AIR;
  }

  private static byte[] bytes(ByteBuffer[] frames) {
    int length = 0;
    for (ByteBuffer each : frames) {
      length += each.remaining();
    }
    byte[] bytes = new byte[length];
    int at = 0;
    for (ByteBuffer each : frames) {
      int part = each.remaining();
      each.get(bytes, at, part);
      at += part;
    }
    return bytes;
  }

  private void arrive(byte[] bytes) {
    int at = 0;
    while (at < bytes.length && !gone) {
      int length = bytes[at + 1] & 0xff;
      int from = at + 2;
      if (length == TWO_BYTE_LENGTH) {
        length = (bytes[at + 2] & 0xff) << 8 | (bytes[at + 3] & 0xff);
        from = at + 4;
      }
      if ((bytes[at] & 0xff) == TEXT) {
        client.shown(this, new String(bytes, from, length, StandardCharsets.UTF_8));
      }
      at = from + length;
    }
  }

  /**
   * Closes the connection: a present client answers; for another one the container waits a while.
   */
  @Override
  public void close(int code, String reason) {
    if (!closeSent) {
      closeSent = true;
      boolean answers = !gone;
      outward(() -> closed(code));
      long millis = answers ? ANSWER_MILLIS : TIMEOUT_MILLIS;
      long wait = Math.max(0, lastOut - world.clock().now());
      server.later(
          Math.min(wait, TIMEOUT_MILLIS * Clock.MILLI) + millis * Clock.MILLI, this::hangUp);
    }
  }

  @Override
  public void abort(int code, String reason) {
    outward(() -> closed(Visit.BROKEN));
    server.later(0, this::hangUp);
  }

  // --- used only by the portable sink

  @Override
  public void gather() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void text(String payload) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void flush() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void ping() {
    throw new UnsupportedOperationException();
  }
}
