package dev.chatflow.message;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A rejection, as sent to the sender.
 *
 * @param code the error code
 * @param text the problem and the allowed values
 * @param errors reasons by field: filled for VALIDATION_FAILED, empty for every other code
 * @param messageId the client's message id if it was well-formed
 * @param serverMillis when the message was rejected, in ms since the epoch
 * @param retryAfterMillis ms to wait before a retry; 0 if the frame gives none
 */
public record ErrorFrame(
    ErrorCode code,
    String text,
    SortedMap<String, String> errors,
    @Nullable String messageId,
    long serverMillis,
    long retryAfterMillis) {

  public ErrorFrame {
    if (errors.isEmpty() == (code == ErrorCode.VALIDATION_FAILED)) {
      throw new IllegalArgumentException(code + " with the errors " + errors);
    }
    if (retryAfterMillis < 0) {
      throw new IllegalArgumentException("retry after must not be negative: " + retryAfterMillis);
    }
    errors = Collections.unmodifiableSortedMap(new TreeMap<>(errors));
  }

  /** Returns the error for a frame that is not valid JSON by the protocol. */
  public static ErrorFrame of(Parsed.Malformed malformed, long serverMillis) {
    return refusal(ErrorCode.MALFORMED_JSON, malformed.reason(), null, serverMillis);
  }

  /** Returns the error for a frame with invalid fields, all listed at once. */
  public static ErrorFrame of(Parsed.Invalid invalid, long serverMillis) {
    int count = invalid.errors().size();
    String text = count == 1 ? "1 field is wrong" : count + " fields are wrong";
    return new ErrorFrame(
        ErrorCode.VALIDATION_FAILED, text, invalid.errors(), invalid.messageId(), serverMillis, 0);
  }

  /** Returns any other rejection. */
  public static ErrorFrame refusal(
      ErrorCode code, String text, @Nullable String messageId, long serverMillis) {
    return new ErrorFrame(code, text, Collections.emptySortedMap(), messageId, serverMillis, 0);
  }

  /** Returns the same rejection with a wait before the next attempt. */
  public ErrorFrame retryAfter(long millis) {
    return new ErrorFrame(code, text, errors, messageId, serverMillis, millis);
  }
}
