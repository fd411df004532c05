package dev.chatflow.chat.link;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket, and whether there is anybody at its other end: a server that says nothing is asked
 * whether it lives, and given up when it does not answer.
 *
 * <p>Of its room's thread.
 */
final class Connection implements Net.Events {

  private static final long OPENING =
      10_000; // ms until a handshake that is not answered is given up
  private static final long QUIET = 20_000; // ms without a frame after which the server is asked
  private static final long ANSWER = 10_000; // ms it has for that
  private static final long PROBE = 3_000; // the same where there is reason for doubt
  private static final long SLEPT = 1_000; // ms by which a timer may be late and still judge

  private final Loop loop;
  private final Net.Events on;
  private final Net.Socket socket;
  private boolean isOpen;
  private boolean isAwaited = true; // at first the handshake, later an answer
  private long heard;
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

  /** Nothing is told any more. */
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
    heard = loop.elapsed();
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

  /** A timer that comes late was asleep with its machine: what arrived may be waiting behind it. */
  private void judge() {
    long quiet = loop.elapsed() - heard;
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
