package dev.chatflow.standalone.store;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes a row as the frame that members were shown. Stateless: any thread. */
final class Frame {

  private static final DateTimeFormatter SERVER_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Frame() {}

  static String json(Row row) {
    return "{\"messageType\":\""
        + row.kind().type
        + "\",\"roomId\":\""
        + row.room()
        + "\",\"userId\":\""
        + row.userId()
        + "\",\"username\":\""
        + row.username()
        + "\",\"message\":\""
        + row.body()
        + "\",\"timestamp\":\""
        + row.sent()
        + "\",\"messageId\":\""
        + row.messageId()
        + "\",\"serverTimestamp\":\""
        + time(row.atMillis())
        + "\",\"serverId\":\""
        + row.server()
        + "\",\"status\":200"
        + row.kind().mark
        + "}";
  }

  /** In the form that servers write. */
  static String time(long millis) {
    return SERVER_TIME.format(Instant.ofEpochMilli(millis));
  }
}
