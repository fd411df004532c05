package dev.chatflow.client.engine;

import dev.chatflow.client.transport.Tokens;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The token of one user, or none if the run creates no tokens. Times are nanoseconds of the run's
 * clock.
 *
 * <p>Belongs to the load thread of the user's room.
 */
final class Pass {
  /** Time before its end at which a token is replaced. */
  private static final Duration AHEAD = Duration.ofSeconds(60);

  /** Pause after a failed renewal. */
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

  /** Returns whether another token can follow an expired one. */
  boolean isRenewable() {
    return tokens != null;
  }

  /**
   * Returns the header line with a token; empty without one. Creates a token if there is none, or
   * if half of its life or only a minute is left.
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

  /** Records that the user's connection has the newest token. */
  void installed() {
    Tokens maker = tokens;
    renewNanos = maker != null && isLong(maker.life()) ? staleNanos : Long.MAX_VALUE;
  }

  /**
   * Returns whether the user should move to a connection with a new token. A token valid for less
   * than two minutes is used until the server ends it.
   */
  boolean isDue(long now) {
    return now >= renewNanos;
  }

  /** Plans another renewal after a failed connection. */
  void postpone(long now) {
    renewNanos = now + PAUSE_NANOS;
  }
}
