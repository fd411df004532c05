package dev.chatflow.client.engine;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Controls how one user returns after its connection ended: whether, when and to which server, and
 * how long that took. Times are nanoseconds of the run's clock.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Reconnect {

  /**
   * The permission to reconnect by the close codes of the protocol.
   *
   * @param allowed whether the user may connect again
   * @param delayNanos pause that the server requested; 0 leaves it to the backoff
   */
  record Leave(boolean allowed, long delayNanos) {}

  private static final int TAKEN_OVER = 4009;

  private static final Pattern WISH = Pattern.compile("reconnect after ([0-9]{1,6}) ms");

  /** Client errors, except those for a slow, early or frequent request. */
  private static final Pattern PERMANENT = Pattern.compile("HTTP/1\\.[01] 4(?!08|25|29)[0-9]{2}.*");

  /** Time during which an abandoned attempt may be accepted, which then takes over a later one. */
  private static final long GHOST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final LoadContext context;
  private int server;
  private int lostServer;
  private long lostNanos;
  private long begunNanos;
  private boolean mayHaveGhost;
  private long abandonedNanos;

  /** Starts with the server that the user connects to first. */
  Reconnect(LoadContext context, int server) {
    this.context = context;
    this.server = server;
  }

  /** Returns the server of the current, next or last connection. */
  int server() {
    return server;
  }

  /** Records a lost membership. */
  void lost() {
    lostNanos = context.now();
    lostServer = server;
  }

  /** Starts an attempt to return, on the next server if the plan requires that. */
  void begins(long now) {
    begunNanos = now;
    if (context.plan.disturbance().moves()) {
      server = (server + 1) % context.plan.target().urls().size();
    }
  }

  /** Starts a move to a connection with a new token, on the same server. */
  void renews(long now) {
    begunNanos = now;
  }

  /**
   * Records that the user is a member again.
   *
   * @param resumed whether it received everything it missed
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
   * Returns the permission after this end of the connection.
   *
   * @param isAbandoned whether a JOIN has no answer: its server may accept it later as a ghost,
   *     which takes over the next attempt. A user that is taken over (4009) then may be its own
   *     ghost's victim, and returns once
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

  /** Returns the permission after this end of a connection. */
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

  /** Returns whether repeating the upgrade would get the same answer. */
  static boolean isPermanent(String refusal) {
    return PERMANENT.matcher(refusal).matches();
  }
}
