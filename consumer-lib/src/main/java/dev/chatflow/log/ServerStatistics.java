package dev.chatflow.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The statistics that a server publishes every few seconds: header {@code x-statistics}, such as
 * {@code 120/20/1000/3/1.0.0}. They are only shown to operators.
 *
 * @param connections open connections
 * @param rooms rooms with members on the server
 * @param messagesPerSecond messages accepted from clients, over the last seconds
 * @param lagMillis mean time from publish to hand-off of the server's entries, over the last
 *     seconds
 * @param version version of the program
 */
public record ServerStatistics(
    int connections, int rooms, int messagesPerSecond, int lagMillis, String version) {

  /** A newer server may append more fields. */
  private static final Pattern FORM =
      Pattern.compile(
          "([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})/([A-Za-z0-9._-]{1,32})(/.*)?");

  /** Parses a header; null if it is malformed. */
  public static @Nullable ServerStatistics parse(String header) {
    Matcher parts = FORM.matcher(header);
    return parts.matches()
        ? new ServerStatistics(
            Integer.parseInt(parts.group(1)),
            Integer.parseInt(parts.group(2)),
            Integer.parseInt(parts.group(3)),
            Integer.parseInt(parts.group(4)),
            parts.group(5))
        : null;
  }

  @Override
  public String toString() {
    return connections + "/" + rooms + "/" + messagesPerSecond + "/" + lagMillis + "/" + version;
  }
}
