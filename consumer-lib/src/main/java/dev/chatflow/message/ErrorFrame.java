package dev.chatflow.message;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A refusal, as its sender is told.
 *
 * @param code why
 * @param text what was wrong and what is allowed
 * @param errors field to reason: filled for VALIDATION_FAILED, empty for every other code
 * @param messageId the client's own id when that was well-formed
 * @param serverMillis when it was refused, in ms since the epoch
 * @param retryAfterMillis after how many ms trying again makes sense; 0 when the frame does not say
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

  /** The answer to a frame that is not JSON as the protocol wants it. */
  public static ErrorFrame of(Parsed.Malformed malformed, long serverMillis) {
    return refusal(ErrorCode.MALFORMED_JSON, malformed.reason(), null, serverMillis);
  }

  /** The answer to a frame with wrong fields, all named at once. */
  public static ErrorFrame of(Parsed.Invalid invalid, long serverMillis) {
    int count = invalid.errors().size();
    String text = count == 1 ? "1 field is wrong" : count + " fields are wrong";
    return new ErrorFrame(
        ErrorCode.VALIDATION_FAILED, text, invalid.errors(), invalid.messageId(), serverMillis, 0);
  }

  /** Any other refusal. */
  public static ErrorFrame refusal(
      ErrorCode code, String text, @Nullable String messageId, long serverMillis) {
    return new ErrorFrame(code, text, Collections.emptySortedMap(), messageId, serverMillis, 0);
  }

  /** The same, with word when to try again. */
  public ErrorFrame retryAfter(long millis) {
    return new ErrorFrame(code, text, errors, messageId, serverMillis, millis);
  }
}
