package dev.chatflow.record;

import java.net.HttpURLConnection;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one request. {@link #end} rejects parameters that were never read as unknown.
 *
 * <p>One thread.
 */
public final class Query {

  private static final Pattern STEP = Pattern.compile("([0-9]{1,6})([smhd])");
  private static final long MINUTE = 60;
  private static final long DAY = 86_400;
  private static final Map<String, Long> UNITS =
      Map.of("s", 1L, "m", MINUTE, "h", 3_600L, "d", DAY);

  private final Map<String, String> rest = new TreeMap<>();

  /** Parses the undecoded query part of a URI; null if there is none. */
  public Query(@Nullable String raw) {
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
      return part; // rejected by name where it matters
    }
  }

  /** Returns the requested messages of a room. */
  public Range ofRoom() throws Refusal {
    return range(number("from", 1, Long.MAX_VALUE, 0), "from=POSITION, ");
  }

  /** Returns the requested messages of a user, which have no common position across rooms. */
  public Range ofUser() throws Refusal {
    return range(0, "");
  }

  private Range range(long from, String form) throws Refusal {
    Range range =
        new Range(
            from,
            time("since", Long.MIN_VALUE),
            time("until", Long.MAX_VALUE),
            (int) number("limit", 1, Range.MAX_LIMIT, Range.DEFAULT_LIMIT));
    end("the parameters are " + form + "since=TIME, until=TIME, limit=1..1000");
    return range;
  }

  /**
   * Rejects parameters that were not read.
   *
   * @param known the valid parameters, for people
   */
  public void end(String known) throws Refusal {
    if (!rest.isEmpty()) {
      throw bad(rest.keySet().iterator().next() + " is unknown; " + known);
    }
  }

  long number(String name, long least, long most, long otherwise) throws Refusal {
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
      // rejected below
    }
    String upTo = most == Long.MAX_VALUE ? "" : " to " + most;
    throw bad(name + "=" + text + " is not a whole number from " + least + upTo);
  }

  long time(String name, long otherwise) throws Refusal {
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

  /** Returns the text of a parameter; empty if it is absent. */
  String text(String name) {
    String text = rest.remove(name);
    return text == null ? "" : text;
  }

  /** Returns one of some words; the first if the parameter is absent. */
  String oneOf(String name, List<String> words) throws Refusal {
    String text = rest.remove(name);
    if (text == null) {
      return words.getFirst();
    }
    if (!words.contains(text)) {
      throw bad(name + "=" + text + " is not one of " + String.join(", ", words));
    }
    return text;
  }

  /** Returns a step such as {@code 1s}, {@code 5m}, {@code 1h} or {@code 1d}, in seconds. */
  long step(String name, long otherwise) throws Refusal {
    String text = rest.remove(name);
    if (text == null) {
      return otherwise;
    }
    Matcher match = STEP.matcher(text);
    long seconds =
        match.matches()
            ? Long.parseLong(match.group(1)) * UNITS.getOrDefault(match.group(2), 0L)
            : 0;
    boolean whole = seconds < MINUTE ? DAY % Math.max(1, seconds) == 0 : seconds % MINUTE == 0;
    if (seconds < 1 || seconds > DAY || !whole) {
      throw bad(
          name + "=" + text + " is not a step from 1s to 1d, of whole minutes or parts of one");
    }
    return seconds;
  }

  static Refusal bad(String text) {
    return new Refusal(HttpURLConnection.HTTP_BAD_REQUEST, "BAD_QUERY", text);
  }
}
