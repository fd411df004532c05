package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One token for all rooms of a program, asked for when it is needed. Thread-safe. */
public final class Tokens {

  private static final long SOON = 60_000; // ms before its end in which a token is not used anew

  private final @Nullable Supplier<String> ask;
  private final LongSupplier now;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile @Nullable String held;
  private volatile long renewAt = Long.MAX_VALUE;

  /**
   * Holds none yet.
   *
   * @param ask the program's own, which may wait; null: nobody asks for tokens
   * @param now ms since 1970
   */
  public Tokens(@Nullable Supplier<String> ask, LongSupplier now) {
    this.ask = ask;
    this.now = now;
  }

  boolean isUsed() {
    return ask != null;
  }

  /** When to ask for another: a minute before its end, or halfway where it lasts less than two. */
  long renewAt() {
    return renewAt;
  }

  /** The one held, without asking. */
  public @Nullable String held() {
    return held;
  }

  /**
   * A token; the one held as long as it is good for a while. May wait for the program's answer.
   *
   * @param stale one that is not wanted any more; it comes again only when there is no other
   */
  public @Nullable String get(@Nullable String stale) {
    if (ask == null) {
      return null;
    }
    asking.lock();
    try {
      String token = held;
      if (token == null || token.equals(stale) || now.getAsLong() >= renewAt) {
        token = ask.get();
        renewAt = renewalOf(token);
        held = token;
      }
      return token;
    } finally {
      asking.unlock();
    }
  }

  private long renewalOf(String token) {
    long ends = Frames.number(claims(token), "exp") * 1000;
    long left = ends - now.getAsLong();
    return ends == 0
        ? Long.MAX_VALUE
        : now.getAsLong() + (left > 2 * SOON ? left - SOON : left / 2);
  }

  /** The claims of a JWT; its signature is the server's business. */
  public static JsonObject claims(String token) {
    String[] parts = token.split("\\.", -1);
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(parts.length == 3 ? parts[1] : "");
      JsonObject claims = Frames.read(new String(bytes, StandardCharsets.UTF_8));
      if (claims != null) {
        return claims;
      }
    } catch (IllegalArgumentException _) {
      // said below
    }
    throw new IllegalArgumentException("the token is no JWT");
  }
}
