package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the one token for all rooms of a program and renews it when needed. Thread-safe.
 *
 * <p>Once a server has sent its time, that clock decides how long a token lasts: a wrong clock on
 * this machine must not make a valid token look expired.
 */
public final class Tokens {

  private static final long SOON =
      60_000; // ms before its end in which a token is not used for new connections
  private static final long BETWEEN = 30_000; // ms between two tokens, unless a server rejects one
  private static final long NEVER = Long.MAX_VALUE;

  private final @Nullable Supplier<String> ask;
  private final LongSupplier elapsed;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile @Nullable String held;
  private final AtomicReference<Term> term;

  /**
   * The validity of the current token.
   *
   * @param ahead ms that the server's clock is ahead of {@code elapsed}
   * @param ends end of the token by the server's clock
   * @param renewAt time of the renewal by {@code elapsed}
   */
  private record Term(long ahead, long ends, long askedAt, long renewAt) {

    Term planned(long now) {
      long left = ends - ahead - now;
      long soon = now + (left > 2 * SOON ? left - SOON : left / 2);
      long next = ends == NEVER ? NEVER : Math.max(soon, askedAt + BETWEEN);
      return new Term(ahead, ends, askedAt, next);
    }

    Term following(long serverMillis, long now) {
      return new Term(serverMillis - now, ends, askedAt, renewAt).planned(now);
    }

    Term of(String token, long now) {
      long seconds = Frames.number(claims(token), "exp");
      return new Term(ahead, seconds == 0 ? NEVER : seconds * 1000, now, renewAt).planned(now);
    }
  }

  /**
   * Creates it without a token.
   *
   * @param ask the program's supplier, which may block; null if no tokens are used
   * @param now ms since 1970 by a clock that may be wrong; used until a server has sent its time
   * @param elapsed ms by a clock that never jumps
   */
  public Tokens(@Nullable Supplier<String> ask, long now, LongSupplier elapsed) {
    this.ask = ask;
    this.elapsed = elapsed;
    this.term = new AtomicReference<>(new Term(now - elapsed.getAsLong(), NEVER, 0, NEVER));
  }

  boolean isUsed() {
    return ask != null;
  }

  /** Returns whether the current token expires at all. */
  boolean isEnding() {
    return term.get().renewAt != NEVER;
  }

  /**
   * Returns the ms until a new token is needed: one minute before the current one ends, or after
   * half its validity if it lasts less than two minutes, but at least 30 s after the last one.
   */
  long renewIn() {
    return term.get().renewAt - elapsed.getAsLong();
  }

  /** Sets the server's clock, in ms since 1970, from a frame that just arrived. */
  void follow(long serverMillis) {
    long now = elapsed.getAsLong();
    var unused = term.updateAndGet(held -> held.following(serverMillis, now));
  }

  /** Returns the current token without requesting one. */
  public @Nullable String held() {
    return held;
  }

  /**
   * Returns a token: the current one while it is valid long enough, otherwise a new one. May wait
   * for the program's supplier.
   *
   * @param stale a token not to use again; it is returned only if there is no other
   */
  public @Nullable String get(@Nullable String stale) {
    if (ask == null) {
      return null;
    }
    asking.lock();
    try {
      String token = held;
      if (token == null || token.equals(stale) || renewIn() <= 0) {
        String asked =
            Objects.requireNonNull(ask.get(), "the token supplier returned null: return a JWT");
        long now = elapsed.getAsLong();
        var unused = term.updateAndGet(before -> before.of(asked, now));
        held = token = asked;
      }
      return token;
    } finally {
      asking.unlock();
    }
  }

  /** Decodes the claims of a JWT. The server verifies the signature. */
  public static JsonObject claims(String token) {
    String[] parts = token.split("\\.", -1);
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(parts.length == 3 ? parts[1] : "");
      JsonObject claims = Frames.read(new String(bytes, StandardCharsets.UTF_8));
      if (claims != null) {
        return claims;
      }
    } catch (IllegalArgumentException ignored) {
      // reported below
    }
    throw new IllegalArgumentException("the token is not a JWT");
  }
}
