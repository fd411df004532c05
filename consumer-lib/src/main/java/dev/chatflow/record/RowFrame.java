package dev.chatflow.record;

import dev.chatflow.message.JsonBytes;
import dev.chatflow.message.Rfc3339;
import java.nio.charset.StandardCharsets;

/** Converts a row to the frame that members were shown. Stateless and thread-safe. */
final class RowFrame {

  private RowFrame() {}

  static String json(Row row) {
    return "{\"messageType\":\""
        + row.kind().type
        + "\",\"roomId\":\""
        + row.room()
        + "\",\"userId\":\""
        + row.userId()
        + "\",\"username\":\""
        + escaped(row.username())
        + "\",\"message\":\""
        + row.body()
        + "\",\"timestamp\":\""
        + row.sent()
        + "\",\"messageId\":\""
        + row.messageId()
        + "\",\"serverTimestamp\":\""
        + Rfc3339.text(row.atMillis())
        + "\",\"serverId\":\""
        + row.server()
        + "\",\"status\":200"
        + row.extras()
        + row.kind().mark
        + "}";
  }

  private static String escaped(String name) {
    return new String(new JsonBytes(name.length()).escaped(name).toBytes(), StandardCharsets.UTF_8);
  }
}
