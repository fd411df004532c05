package dev.chatflow.message;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The result of parsing a client's frame. */
public sealed interface Parsed {

  /** A valid message. */
  record Valid(ClientMessage message) implements Parsed {}

  /** {@code PING}: asks for a sign of life; nothing is sent to the room. */
  record Ping() implements Parsed {}

  /**
   * Not one JSON object by the rules of the protocol.
   *
   * @param reason the problem, as the sender will see it
   */
  record Malformed(String reason) implements Parsed {}

  /**
   * A JSON object with invalid fields.
   *
   * @param errors reasons by field, for all invalid fields
   * @param messageId the client's message id if it was well-formed
   */
  record Invalid(SortedMap<String, String> errors, @Nullable String messageId) implements Parsed {}
}
