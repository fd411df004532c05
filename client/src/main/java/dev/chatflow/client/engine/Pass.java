package dev.chatflow.client.engine;

import dev.chatflow.client.transport.Tokens;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The token of one user of a run, or none where the run makes no tokens. Times are nanoseconds of
 * the run's clock.
 *
 * <p>Belongs to the load thread of the user's room.
 */
final class Pass {
  /** How long before its end a token is left for a new one. */
  private static final Duration AHEAD = Duration.ofSeconds(60);

  /** How long to wait after a renewal that failed. */
  private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

  private final @Nullable Tokens tokens;
  private final String user;
  private final String name;
  private final String room;
  private String header = "";
  private long staleNanos = Long.MIN_VALUE;
  private long renewNanos = Long.MAX_VALUE;

  Pass(@Nullable Tokens tokens, String user, String name, String room) {
    this.tokens = tokens;
    this.user = user;
    this.name = name;
    this.room = room;
  }

  /** Whether there can be another one when this one has expired. */
  boolean isRenewable() {
    return tokens != null;
  }

  /**
   * The header line that shows a token; empty without one. A new token is made when there is none,
   * or half of its life or a minute is left.
   */
  String header(long now) {
    Tokens maker = tokens;
    if (maker != null && now >= staleNanos) {
      Duration life = maker.life();
      staleNanos = now + (isLong(life) ? life.minus(AHEAD) : life.dividedBy(2)).toNanos();
      header = Tokens.header(maker.of(user, name, room));
    }
    return header;
  }

  private static boolean isLong(Duration life) {
    return life.compareTo(AHEAD.multipliedBy(2)) >= 0;
  }

  /** The user's connection has the newest token. */
  void taken() {
    Tokens maker = tokens;
    renewNanos = maker != null && isLong(maker.life()) ? staleNanos : Long.MAX_VALUE;
  }

  /**
   * Whether the user should move to a connection with a new token now. A token that lives shorter
   * than two minutes is used until the server ends it.
   */
  boolean isDue(long now) {
    return now >= renewNanos;
  }

  /** The new connection failed: another one is due a little later. */
  void postpone(long now) {
    renewNanos = now + PAUSE_NANOS;
  }
}
