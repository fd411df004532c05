package dev.chatflow.standalone;

import dev.chatflow.standalone.record.Range;
import java.net.HttpURLConnection;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one request. What nobody has read is unknown: {@link #end} refuses it.
 *
 * <p>One thread.
 */
final class Query {

  private final Map<String, String> rest = new TreeMap<>();

  /** Takes the part of a URI behind the question mark, not decoded; null when there is none. */
  Query(@Nullable String raw) {
    if (raw != null && !raw.isEmpty()) {
      for (String part : raw.split("&", -1)) {
        String[] pair = part.split("=", 2);
        rest.put(decoded(pair[0]), pair.length == 2 ? decoded(pair[1]) : "");
      }
    }
  }

  private static String decoded(String part) {
    try {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return part; // refused by name where it matters
    }
  }

  /** Which messages of a room are asked for. */
  Range ofRoom() throws Refusal {
    return range(number("from", 1, Long.MAX_VALUE, 0), "from=POSITION, ");
  }

  /** Which messages of a user are asked for: those of several rooms have no common position. */
  Range ofUser() throws Refusal {
    return range(0, "");
  }

  private Range range(long from, String form) throws Refusal {
    Range range =
        new Range(
            from,
            time("since", Long.MIN_VALUE),
            time("until", Long.MAX_VALUE),
            (int) number("limit", 1, Range.MAX_LIMIT, Range.DEFAULT_LIMIT));
    end("there is " + form + "since=TIME, until=TIME, limit=1..1000");
    return range;
  }

  /**
   * Refuses a parameter that was not read.
   *
   * @param known what there is, in words
   */
  void end(String known) throws Refusal {
    if (!rest.isEmpty()) {
      throw bad(rest.keySet().iterator().next() + " is unknown; " + known);
    }
  }

  private long number(String name, long least, long most, long otherwise) throws Refusal {
    String text = rest.remove(name);
    if (text == null) {
      return otherwise;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException _) {
      // Refused below.
    }
    String upTo = most == Long.MAX_VALUE ? "" : " to " + most;
    throw bad(name + "=" + text + " is not a whole number from " + least + upTo);
  }

  private long time(String name, long otherwise) throws Refusal {
    String text = rest.remove(name);
    if (text == null) {
      return otherwise;
    }
    try {
      return OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeException _) {
      throw bad(name + "=" + text + " is not a time such as 2026-11-20T18:46:00Z");
    }
  }

  private static Refusal bad(String text) {
    return new Refusal(HttpURLConnection.HTTP_BAD_REQUEST, "BAD_QUERY", text);
  }
}
