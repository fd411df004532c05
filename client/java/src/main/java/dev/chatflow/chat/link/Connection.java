package dev.chatflow.chat.link;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket with a check that its server is alive: a silent server gets a ping, and the
 * connection is given up without an answer.
 *
 * <p>Used only by the room's thread.
 */
final class Connection implements Net.Events {

  private static final long OPENING = 10_000; // ms until an unanswered handshake is given up
  private static final long QUIET = 20_000; // ms without a frame until a ping is sent
  private static final long ANSWER = 10_000; // ms to wait for the answer
  private static final long PROBE = 3_000; // ms to wait if the connection is in doubt
  private static final long SLEPT = 1_000; // maximum lateness in ms of a timer whose result counts

  private final Loop loop;
  private final Net.Events on;
  private final Net.Socket socket;
  private boolean isOpen;
  private boolean isAwaited = true; // first the handshake, later the answer to a ping
  private long lastFrameAt;
  private long due;
  private Loop.Timer timer = Loop.Timer.NONE;

  Connection(Net net, URI address, @Nullable String token, Loop loop, Net.Events on) {
    this.loop = loop;
    this.on = on;
    this.socket = net.open(address, token, loop, this);
    judgeIn(OPENING);
  }

  void send(String text) {
    socket.send(text);
  }

  /** Closes the connection without further events. */
  void close() {
    timer.cancel();
    socket.close(1000);
  }

  @Override
  public void opened() {
    isOpen = true;
    hear();
    judgeIn(QUIET);
    on.opened();
  }

  @Override
  public void received(String text) {
    hear();
    on.received(text);
  }

  @Override
  public void ended(int code, String reason) {
    close();
    on.ended(code, reason);
  }

  private void hear() {
    lastFrameAt = loop.elapsed();
    isAwaited = false;
  }

  private void judgeIn(long millis) {
    timer.cancel();
    due = loop.elapsed() + millis;
    timer = loop.after(millis, this::judge);
  }

  private void ask(long patience) {
    isAwaited = true;
    socket.send(Frames.PING);
    judgeIn(patience);
  }

  /**
   * Gives up a connection that did not answer. A timer that fires late means that the machine
   * slept: frames may be waiting to be read.
   */
  private void judge() {
    long quiet = loop.elapsed() - lastFrameAt;
    if (!isAwaited && quiet >= QUIET) {
      ask(ANSWER);
    } else if (!isAwaited) {
      judgeIn(QUIET - quiet);
    } else if (loop.elapsed() - due < SLEPT) {
      ended(Closes.SILENT, "");
    } else if (isOpen) {
      ask(PROBE);
    } else {
      judgeIn(OPENING);
    }
  }
}
