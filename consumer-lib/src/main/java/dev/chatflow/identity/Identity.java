package dev.chatflow.identity;

import dev.chatflow.message.UserIds;
import dev.chatflow.room.RoomId;
import org.jspecify.annotations.Nullable;

/**
 * Who somebody is, what he may be called, and where he may be. Immutable; any thread.
 *
 * @param subject the user, {@value #SERVICE} for a trusted service, empty for anybody
 * @param name the only username he may use, or null for any
 * @param rooms where he may be
 * @param expiresMillis when this ends, in ms since the epoch, the leeway included
 * @param signedBy the print of the key that vouches for it, empty for anybody
 */
public record Identity(
    String subject, @Nullable String name, RoomGrants rooms, long expiresMillis, String signedBy) {

  /** The subject of a service, which may speak as any user. */
  static final String SERVICE = "*";

  /** Everybody, where nobody is asked for a token. */
  public static final Identity ANYBODY = new Identity("", null, RoomGrants.ALL, Long.MAX_VALUE, "");

  /** Whether this is a trusted service: it speaks for many, and no limit for one holds it. */
  public boolean isService() {
    return subject.equals(SERVICE);
  }

  /** Whether the token named one user. */
  private boolean isUser() {
    return !subject.isEmpty() && !isService();
  }

  /** Whether it is this user's own token. */
  public boolean isOf(String userId) {
    return isUser() && subject.equals(userId);
  }

  /** Why he is no user of a server that lets these ids in, or null when he is. */
  public @Nullable String refusalBy(UserIds userIds) {
    boolean may = !isUser() || userIds.rule().allows().test(subject);
    return may ? null : "the token's sub " + userIds.rule().text();
  }

  public boolean isExpiredAt(long nowMillis) {
    return nowMillis >= expiresMillis;
  }

  /** Why this room is closed to him, or null when it is open. */
  public @Nullable String refusalOf(RoomId room) {
    return rooms.allow(room) ? null : "the token is not for room " + room;
  }

  /** Why he may not speak as this user, or null when he may. */
  public @Nullable String refusalAs(String userId, String username) {
    if (isUser() && !subject.equals(userId)) {
      return "the token is of user " + subject + ", not of " + userId;
    }
    if (name != null && !name.equals(username)) {
      return "the token names " + Shown.text(name) + ", not " + username;
    }
    return null;
  }
}
