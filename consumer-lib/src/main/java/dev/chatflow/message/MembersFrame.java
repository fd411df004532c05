package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The list of a room's members, sent to a member whose JOIN requested it.
 *
 * @param count number of users on all servers
 * @param complete whether the users of all servers are known
 * @param members as many as requested, sorted by user id as text; fewer if the frame is full
 */
public record MembersFrame(RoomId room, int count, boolean complete, List<Name> members) {

  /** Maximum number of names that a JOIN may request. */
  public static final int MAX_NAMES = 200;

  /** The value for a JOIN that requests no list. */
  public static final int NOT_ASKED = -1;

  /** Once a frame has this size, it names no further members. */
  static final int MAX_BYTES = 65_536;

  private static final int USUAL_BYTES = 128;
  private static final int BYTES_A_NAME = 60;

  /**
   * A user.
   *
   * @param devices the names of the user's devices; empty if they have none
   * @param data the JSON object of the user's newest JOIN, or null
   */
  public record Name(String userId, String username, List<String> devices, @Nullable String data) {}

  /** Returns the frame as JSON. */
  public byte[] toBytes() {
    JsonBytes json = new JsonBytes(USUAL_BYTES + members.size() * BYTES_A_NAME);
    json.plain("{\"messageType\":\"MEMBERS\",\"roomId\":\"").escaped(room.value());
    json.plain("\",\"count\":").number(count);
    json.plain(complete ? ",\"complete\":true" : ",\"complete\":false").plain(",\"members\":[");
    String before = "{\"userId\":\"";
    for (Name each : members) {
      if (json.size() >= MAX_BYTES) {
        break;
      }
      json.plain(before).escaped(each.userId());
      json.plain("\",\"username\":\"").escaped(each.username()).plain("\"");
      devices(each.devices(), json);
      if (each.data() != null) {
        json.raw(LineWriter.DATA).raw(each.data().getBytes(StandardCharsets.UTF_8));
      }
      json.plain("}");
      before = ",{\"userId\":\"";
    }
    return json.plain("],\"status\":200}").toBytes();
  }

  private static void devices(List<String> devices, JsonBytes json) {
    if (!devices.isEmpty()) {
      json.plain(",\"devices\":[\"").plain(String.join("\",\"", devices)).plain("\"]");
    }
  }
}
