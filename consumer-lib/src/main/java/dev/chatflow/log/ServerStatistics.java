package dev.chatflow.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a server tells the others of itself every few seconds: header {@code x-statistics}, such as
 * {@code 120/20/1000/3/1.0.0}. Nothing but what operators see comes of it.
 *
 * @param connections that it has
 * @param rooms with members there
 * @param messagesPerSecond taken from clients, in the last seconds
 * @param lagMillis from publish to hand-off of its own entries, the mean of the last seconds
 * @param version of its program
 */
public record ServerStatistics(
    int connections, int rooms, int messagesPerSecond, int lagMillis, String version) {

  /** A newer server may say more behind it. */
  private static final Pattern FORM =
      Pattern.compile(
          "([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})/([0-9]{1,9})/([A-Za-z0-9._-]{1,32})(/.*)?");

  /** Reads a header; null when it is none. */
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
