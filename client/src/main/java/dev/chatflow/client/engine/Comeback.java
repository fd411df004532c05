package dev.chatflow.client.engine;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How one user comes back after its connection ended: whether it may, when, to which server, and
 * how long that took. Times are nanoseconds of the run's clock.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Comeback {

  /**
   * What the close codes of the protocol allow.
   *
   * @param allowed whether the user may connect again
   * @param delayNanos the server's own wish; 0 leaves it to the backoff
   */
  record Leave(boolean allowed, long delayNanos) {}

  private static final int TAKEN_OVER = 4009;

  private static final Pattern WISH = Pattern.compile("reconnect after ([0-9]{1,6}) ms");

  /** A client's error, but not: too slow, too early, too many. */
  private static final Pattern PERMANENT = Pattern.compile("HTTP/1\\.[01] 4(?!08|25|29)[0-9]{2}.*");

  /** An attempt that was given up may be let in for so long, and then beats a later one. */
  private static final long GHOST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final LoadContext context;
  private int server;
  private int lostServer;
  private long lostNanos;
  private long begunNanos;
  private boolean mayHaveGhost;
  private long abandonedNanos;

  /** Of a user who connects to this server first. */
  Comeback(LoadContext context, int server) {
    this.context = context;
    this.server = server;
  }

  /** The server that the user is connected to, connects to next, or was at last. */
  int server() {
    return server;
  }

  /** A membership is lost. */
  void lost() {
    lostNanos = context.now();
    lostServer = server;
  }

  /** An attempt to come back begins: on the next server when the plan wants that. */
  void begins(long now) {
    begunNanos = now;
    if (context.plan.disturbance().moves()) {
      server = (server + 1) % context.plan.target().urls().size();
    }
  }

  /** The user moves to a connection with a new token, on the same server. */
  void renews(long now) {
    begunNanos = now;
  }

  /**
   * The user is a member again.
   *
   * @param resumed whether it was shown all that it missed
   */
  void succeeded(boolean resumed, long now) {
    context.tally.count(Count.RECONNECTIONS);
    context.tally.add(Count.MOVED, server == lostServer ? 0 : 1);
    context.recorder.active().record(Series.RECOVERY, (now - lostNanos) / 1000);
    if (resumed) {
      context.recorder.active().record(Series.CATCH_UP, (now - begunNanos) / 1000);
    }
  }

  /**
   * What is allowed after its connection ended so.
   *
   * @param isAbandoned whether a JOIN was written that has not come back: its server may let it in
   *     later, as a ghost whose JOIN beats that of the next attempt. Who is taken over (4009) then
   *     may have been taken over by himself, and comes back once for it
   * @param renewable whether the next connection can have another token
   */
  Leave ended(int code, String reason, boolean isAbandoned, boolean renewable) {
    long now = context.now();
    boolean byGhost = code == TAKEN_OVER && mayHaveGhost && now - abandonedNanos <= GHOST_NANOS;
    if (byGhost) {
      mayHaveGhost = false;
      return new Leave(true, 0);
    }
    if (isAbandoned) {
      mayHaveGhost = true;
      abandonedNanos = now;
    }
    return after(code, reason, renewable);
  }

  /** What is allowed after a connection ended so. */
  static Leave after(int code, String reason, boolean renewable) {
    return switch (code) {
      case 1006, 1005, 1011, 1013, 4003, 4008, 4010 -> new Leave(true, 0);
      case 4002 -> new Leave(renewable, 0);
      case 1001, 1012 -> {
        Matcher wish = WISH.matcher(reason);
        yield new Leave(true, wish.matches() ? Long.parseLong(wish.group(1)) * 1_000_000 : 0);
      }
      default -> new Leave(false, 0);
    };
  }

  /** Whether the answer to an upgrade will be the same however often it is asked for. */
  static boolean isPermanent(String refusal) {
    return PERMANENT.matcher(refusal).matches();
  }
}
