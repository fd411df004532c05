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
 * @param extras the optional fields of a TEXT or SIGNAL; none for other types
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
    if (!type.carriesExtras() && !extras.equals(Extras.NONE)) {
      throw new IllegalArgumentException("a " + type + " carries nothing but its text");
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

  private static void require(boolean kept, String what, Rule rule) {
    if (!kept) {
      throw new IllegalArgumentException(what + " " + rule.text());
    }
  }
}
