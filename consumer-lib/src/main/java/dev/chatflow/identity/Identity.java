package dev.chatflow.identity;

import dev.chatflow.message.Rule;
import dev.chatflow.message.UserIds;
import dev.chatflow.room.RoomId;
import org.jspecify.annotations.Nullable;

/**
 * The identity behind a request, with the usernames and rooms it may use. Immutable and
 * thread-safe.
 *
 * @param subject the user, {@value #SERVICE} for a trusted service, empty for any user
 * @param name the only username allowed, or null for any
 * @param rooms the rooms in which it may speak
 * @param read further rooms that it may enter
 * @param moderate the rooms in which it may also edit and delete messages of others
 * @param expiresMillis when it expires, in ms since the epoch, including the leeway
 * @param signedBy the print of the key that signed it, empty for any user
 */
public record Identity(
    String subject,
    @Nullable String name,
    RoomGrants rooms,
    RoomGrants read,
    RoomGrants moderate,
    long expiresMillis,
    String signedBy) {

  /** The subject of a service, which may act as any user. */
  static final String SERVICE = "*";

  /** The identity of all clients if no tokens are used. */
  public static final Identity ANYBODY =
      new Identity("", null, RoomGrants.ALL, RoomGrants.NONE, RoomGrants.NONE, Long.MAX_VALUE, "");

  /**
   * Returns whether this is a trusted service: it acts for many users, so limits per user do not
   * apply.
   */
  public boolean isService() {
    return subject.equals(SERVICE);
  }

  /** Returns whether the token names one user. */
  private boolean isUser() {
    return !subject.isEmpty() && !isService();
  }

  /** Returns whether it is this user's own token. */
  public boolean isOf(String userId) {
    return isUser() && subject.equals(userId);
  }

  /** Returns why the user cannot use a server that accepts these ids, or null. */
  public @Nullable String refusalBy(UserIds userIds) {
    if (isUser() && !userIds.rule().allows().test(subject)) {
      return "the token's sub " + userIds.rule().text();
    }
    boolean isUsable = name == null || Rule.USERNAME.allows().test(name);
    return isUsable ? null : "the token's name " + Rule.USERNAME.text();
  }

  public boolean isExpiredAt(long nowMillis) {
    return nowMillis >= expiresMillis;
  }

  /** Returns the user of the token; null for a service or without a token. */
  public @Nullable String user() {
    return isUser() ? subject : null;
  }

  /** Returns why this room is closed to the identity, or null. */
  public @Nullable String refusalOf(RoomId room) {
    return rooms.allow(room) || read.allow(room) ? null : "the token does not allow room " + room;
  }

  /** Returns why the identity may not speak in a room that it may enter, or null. */
  public @Nullable String refusalToSpeakIn(RoomId room) {
    return rooms.allow(room) ? null : "the token allows only reading in room " + room;
  }

  public boolean moderates(RoomId room) {
    return moderate.allow(room);
  }

  /** Returns why the identity may not act as this user, or null. */
  public @Nullable String refusalAs(String userId, String username) {
    if (isUser() && !subject.equals(userId)) {
      return "the token is for user " + subject + ", not for " + userId;
    }
    if (name != null && !name.equals(username)) {
      return "the token names " + SafeText.text(name) + ", not " + username;
    }
    return null;
  }
}
