package dev.chatflow.lab.peer;

import dev.chatflow.server.RawPeer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Misbehaving members in the first rooms. */
public final class Hostiles implements AutoCloseable {

  private static final int RECEIVE_BUFFER = 4_096;
  private static final int FIRST_USER = 50_000;
  private static final int OTHER_ROOMS = 20;
  private static final int NORMAL = 1_000;
  private static final long PERIOD_NANOS = Duration.ofMillis(100).toNanos();

  private final int port;
  private final int rooms;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<RawPeer> all = new ArrayList<>();
  private final List<RawPeer> quitters = new ArrayList<>();

  public Hostiles(int port, int rooms) {
    this.port = port;
    this.rooms = rooms;
  }

  private RawPeer join() throws IOException {
    return join(1 + all.size() % rooms);
  }

  private RawPeer join(int room) throws IOException {
    int number = all.size();
    RawPeer peer = new RawPeer(port, Integer.toString(room), RECEIVE_BUFFER);
    all.add(peer);
    peer.send("JOIN", FIRST_USER + number, "");
    return peer;
  }

  /** Adds members that read less than they are sent, and ping. */
  public void slow(int number) throws IOException {
    for (int i = 0; i < number; i++) {
      RawPeer peer = join();
      Thread.startVirtualThread(() -> act(peer, 400));
    }
  }

  /** Adds members that read nothing, and ping. */
  public void stalled(int number) throws IOException {
    for (int i = 0; i < number; i++) {
      RawPeer peer = join();
      Thread.startVirtualThread(() -> act(peer, 0));
    }
  }

  private void act(RawPeer peer, int bytes) {
    try {
      while (!stopped.get()) {
        peer.ping();
        if (bytes > 0 && peer.read(bytes) < 0) {
          return;
        }
        LockSupport.parkNanos(PERIOD_NANOS);
      }
    } catch (IOException _) {
      // closed by the server
    }
  }

  /** Adds members that read nothing until {@link #quit}. */
  public void quitters(int number) throws IOException {
    for (int i = 0; i < number; i++) {
      quitters.add(join());
    }
  }

  /** Lets these send a close frame without reading. */
  public void quit() {
    for (RawPeer peer : quitters) {
      try {
        peer.sendClose(NORMAL);
      } catch (IOException _) {
        // already closed
      }
    }
  }

  /** Lets {@code number} members join separate rooms and resets them at once. */
  public void resets(int number) throws IOException {
    List<RawPeer> peers = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      peers.add(join(rooms + 1 + i % OTHER_ROOMS));
    }
    for (RawPeer peer : peers) {
      peer.reset();
    }
  }

  @Override
  public void close() throws IOException {
    stopped.set(true);
    for (RawPeer peer : all) {
      peer.close();
    }
  }
}
