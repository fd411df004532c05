package dev.chatflow.message;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A well-formed message as a client sent it.
 *
 * @param type the message type
 * @param userId 1 to 64 of {@code A-Z a-z 0-9 . _ : @ | -}
 * @param username the display name, by {@link Rule#USERNAME}
 * @param message the text; may be empty, except for a TEXT without data that does not delete a
 *     message
 * @param timestamp the client's time, passed through unchanged
 * @param messageId the client's id, or null if it gave none
 * @param extras the optional fields; only data for a JOIN, none for a LEAVE
 * @param request what a JOIN requests; none for other types
 */
public record ClientMessage(
    MessageType type,
    String userId,
    String username,
    String message,
    String timestamp,
    @Nullable String messageId,
    Extras extras,
    JoinRequest request) {

  public ClientMessage {
    require(Rule.USER_ID.allows().test(userId), "user id", Rule.USER_ID);
    require(Rule.USERNAME.allows().test(username), "username", Rule.USERNAME);
    Rule length = Rule.ofMessage(type, extras);
    require(length.allows().test(message), "message", length);
    require(Rule.TIMESTAMP.allows().test(timestamp), "timestamp", Rule.TIMESTAMP);
    require(
        messageId == null || Rule.MESSAGE_ID.allows().test(messageId),
        "message id",
        Rule.MESSAGE_ID);
    if (!type.mayCarry(extras)) {
      throw new IllegalArgumentException("a " + type + " does not carry " + extras);
    }
    boolean isMute = TextKind.of(extras.kind()) == TextKind.MUTE;
    if (isMute
        && (type != MessageType.SIGNAL || MuteData.untilMillis(extras.data()) == Rfc3339.NONE)) {
      throw new IllegalArgumentException("a mute is a SIGNAL whose data " + Rule.MUTE);
    }
    if (type == MessageType.SIGNAL && extras.kind() == null) {
      throw new IllegalArgumentException("a SIGNAL has a kind");
    }
  }

  /** Creates a message that carries only its text and requests nothing. */
  public ClientMessage(
      MessageType type,
      String userId,
      String username,
      String message,
      String timestamp,
      @Nullable String messageId) {
    this(type, userId, username, message, timestamp, messageId, Extras.NONE);
  }

  /** Creates a message that requests neither earlier frames nor members. */
  public ClientMessage(
      MessageType type,
      String userId,
      String username,
      String message,
      String timestamp,
      @Nullable String messageId,
      Extras extras) {
    this(type, userId, username, message, timestamp, messageId, extras, JoinRequest.NONE);
  }

  /** Returns the same message with this id. */
  public ClientMessage withMessageId(String id) {
    return new ClientMessage(type, userId, username, message, timestamp, id, extras, request);
  }

  /** Returns the same message, with a random id if the client gave none. */
  public ClientMessage named() {
    return messageId == null ? withMessageId(UUID.randomUUID().toString()) : this;
  }

  /** Returns whether it changes a message of another user, as only a moderator may. */
  boolean isModeration() {
    Extras.Ref ref = extras.ref();
    return ref != null
        && TextKind.of(extras.kind()).changesMessage()
        && !ref.userId().equals(userId);
  }

  /**
   * Returns a SIGNAL that mutes a user of a room.
   *
   * @param untilMillis the cluster time when the mute ends, in ms; 0 ends an earlier one
   * @param nowMillis the time of the message
   */
  public static ClientMessage mute(String userId, long untilMillis, long nowMillis) {
    Extras extras = new Extras(TextKind.MUTE.word(), null, MuteData.of(untilMillis));
    return new ClientMessage(
        MessageType.SIGNAL, userId, userId, "", Rfc3339.text(nowMillis), null, extras);
  }

  /** Returns whether it mutes its user. */
  public boolean isMute() {
    return TextKind.of(extras.kind()) == TextKind.MUTE;
  }

  /** Returns the cluster time when a mute ends, in ms. */
  public long mutedUntilMillis() {
    return MuteData.untilMillis(extras.data());
  }

  /** Returns whether a server makes such messages itself. */
  boolean mayBeSynthetic() {
    return type == MessageType.LEAVE || isMute();
  }

  private static void require(boolean kept, String what, Rule rule) {
    if (!kept) {
      throw new IllegalArgumentException(what + " " + rule.text());
    }
  }
}
