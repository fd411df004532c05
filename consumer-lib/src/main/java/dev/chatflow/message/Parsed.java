package dev.chatflow.message;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What became of the bytes a client sent. */
public sealed interface Parsed {

  /** All rules are met. */
  record Valid(ClientMessage message) implements Parsed {}

  /** {@code PING}: asks whether anybody listens; says nothing to a room. */
  record Ping() implements Parsed {}

  /**
   * Not one JSON object by the rules of the protocol.
   *
   * @param reason what was wrong, for the sender
   */
  record Malformed(String reason) implements Parsed {}

  /**
   * JSON, but fields are wrong.
   *
   * @param errors field to reason, all that is wrong at once
   * @param messageId the client's own id when that was well-formed
   */
  record Invalid(SortedMap<String, String> errors, @Nullable String messageId) implements Parsed {}
}
