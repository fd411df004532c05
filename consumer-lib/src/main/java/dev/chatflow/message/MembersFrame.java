package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.util.List;

/**
 * Who is in a room, as a member is told who asked for it with his JOIN.
 *
 * @param count how many, on all servers
 * @param complete whether the members of all servers are known
 * @param members as many as were asked for, by user id as text
 */
public record MembersFrame(RoomId room, int count, boolean complete, List<Name> members) {

  /** The most names that a JOIN may ask for. */
  public static final int MAX_NAMES = 200;

  /** A JOIN that does not ask who is here. */
  public static final int NOT_ASKED = -1;

  private static final int USUAL_BYTES = 128;
  private static final int BYTES_A_NAME = 60;

  /** A member. */
  public record Name(String userId, String username) {}

  /** It as JSON. */
  public byte[] toBytes() {
    JsonBytes json = new JsonBytes(USUAL_BYTES + members.size() * BYTES_A_NAME);
    json.plain("{\"messageType\":\"MEMBERS\",\"roomId\":\"").escaped(room.value());
    json.plain("\",\"count\":").number(count);
    json.plain(complete ? ",\"complete\":true" : ",\"complete\":false").plain(",\"members\":[");
    String before = "{\"userId\":\"";
    for (Name each : members) {
      json.plain(before).escaped(each.userId());
      json.plain("\",\"username\":\"").escaped(each.username()).plain("\"}");
      before = ",{\"userId\":\"";
    }
    return json.plain("],\"status\":200}").toBytes();
  }
}
