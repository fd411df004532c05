package dev.chatflow.server.edge;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Server timestamps as they are written: UTC, always with milliseconds. Stateless. */
final class ServerTime {

  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private ServerTime() {}

  /** Of ms since the epoch. */
  static String text(long millis) {
    return FORM.format(Instant.ofEpochMilli(millis));
  }
}
