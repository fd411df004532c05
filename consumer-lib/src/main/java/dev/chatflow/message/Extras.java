package dev.chatflow.message;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The optional fields of a message: its kind, the message that it names, and data. A JOIN has only
 * data.
 *
 * @param kind what it does with the message that it names, or a word of the application; 1 to 32 of
 *     {@code A-Z a-z 0-9 . _ : -}
 * @param ref the message that it names; only with a kind
 * @param data a JSON object of the application as its client wrote it, in one line and at most
 *     {@value #MAX_DATA_BYTES} bytes of UTF-8
 */
public record Extras(@Nullable String kind, @Nullable Ref ref, @Nullable String data) {

  /** None of these fields. */
  public static final Extras NONE = new Extras(null, null, null);

  /** Maximum bytes of {@code data}, in UTF-8. */
  public static final int MAX_DATA_BYTES = 2_048;

  /**
   * The earlier message that another one names: ids are unique only among the messages of a user.
   */
  public record Ref(String userId, String messageId) {}

  public Extras {
    if (ref == null ? TextKind.of(kind).namesMessage() : kind == null) {
      throw new IllegalArgumentException("kind " + kind + " with ref " + ref);
    }
    if (data != null && !isData(data)) {
      throw new IllegalArgumentException("data " + Rule.DATA);
    }
  }

  /** Returns whether a text is a JSON object that a message may carry. */
  static boolean isData(String text) {
    if (text.getBytes(StandardCharsets.UTF_8).length > MAX_DATA_BYTES
        || text.indexOf('\n') >= 0
        || text.indexOf('\r') >= 0
        || !text.endsWith("}")) {
      return false;
    }
    try {
      var _ = StrictObject.fieldsOf(text);
      return true;
    } catch (MalformedTextException _) {
      return false;
    }
  }
}
