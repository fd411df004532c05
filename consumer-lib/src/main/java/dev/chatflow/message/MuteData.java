package dev.chatflow.message;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The data of a SIGNAL that mutes a user: {@code {"until":"2026-11-20T18:46:00.123Z"}}. */
final class MuteData {

  private static final String UNTIL = "until";

  private MuteData() {}

  static String of(long untilMillis) {
    return "{\"" + UNTIL + "\":\"" + Rfc3339.text(untilMillis) + "\"}";
  }

  /**
   * Returns the ms since the epoch, or {@link Rfc3339#NONE} if the data has no time that a server
   * may write.
   */
  static long untilMillis(@Nullable String data) {
    try {
      if (data != null
          && JsonTree.read(data) instanceof Map<?, ?> fields
          && fields.get(UNTIL) instanceof String until) {
        long millis = Rfc3339.millis(until);
        return Rfc3339.isServerTime(millis) ? millis : Rfc3339.NONE;
      }
    } catch (MalformedTextException _) {
      // no time
    }
    return Rfc3339.NONE;
  }
}
