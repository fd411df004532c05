package dev.chatflow.client.engine.user;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client does after a connection ended, by the close codes of the protocol.
 *
 * @param allowed whether it may connect again
 * @param delayNanos the server's own wish; 0 leaves it to the backoff
 */
record Comeback(boolean allowed, long delayNanos) {
  private static final Pattern WISH = Pattern.compile("reconnect after ([0-9]{1,6}) ms");

  /** A client's error, but not: too slow, too early, too many. */
  private static final Pattern PERMANENT = Pattern.compile("HTTP/1\\.[01] 4(?!08|25|29)[0-9]{2}.*");

  static Comeback after(int code, String reason) {
    return switch (code) {
      case 1006, 1005, 1011, 1013, 4008, 4010 -> new Comeback(true, 0);
      case 1001, 1012 -> {
        Matcher wish = WISH.matcher(reason);
        yield new Comeback(true, wish.matches() ? Long.parseLong(wish.group(1)) * 1_000_000 : 0);
      }
      default -> new Comeback(false, 0);
    };
  }

  /** Whether the answer to an upgrade will be the same however often it is asked for. */
  static boolean isPermanent(String refusal) {
    return PERMANENT.matcher(refusal).matches();
  }
}
