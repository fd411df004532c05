package dev.chatflow.message;

import dev.chatflow.message.JsonValue.Kind;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the usual client frame in one scan: an object of known fields, each once, whose values are
 * strings without escapes or small integers. Any other text, valid or not, is left to {@link
 * StrictObject}; for texts that both read, the results are equal.
 *
 * <p>One thread, used once.
 */
public final class PlainObject {

  private static final Field[] FIELDS = Field.values();
  private static final int MAX_DIGITS = 9;
  private static final char FIRST_PRINTABLE = ' ';

  private final String text;
  private final Map<Field, JsonValue> fields = new EnumMap<>(Field.class);
  private int at;

  private PlainObject(String text) {
    this.text = text;
  }

  /** Returns the values of {@code text} by field; null if it is not plain. */
  public static @Nullable Map<Field, JsonValue> fieldsOf(String text) {
    PlainObject object = new PlainObject(text);
    return object.readAll() ? object.fields : null;
  }

  private boolean readAll() {
    if (!take('{')) {
      return false;
    }
    do {
      if (!readField()) {
        return false;
      }
    } while (take(','));
    return take('}') && at == text.length();
  }

  private boolean readField() {
    Field field = take('"') ? name() : null;
    if (field == null || !take(':')) {
      return false;
    }
    JsonValue value = take('"') ? string() : number();
    return value != null && fields.put(field, value) == null;
  }

  /** Consumes a character and the spaces after it. */
  private boolean take(char expected) {
    if (at >= text.length() || text.charAt(at) != expected) {
      return false;
    }
    at++;
    if (expected != '"') {
      skipSpaces();
    }
    return true;
  }

  private void skipSpaces() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private @Nullable Field name() {
    for (Field field : FIELDS) {
      String name = field.wireName();
      int end = at + name.length();
      if (text.startsWith(name, at) && end < text.length() && text.charAt(end) == '"') {
        at = end + 1;
        skipSpaces();
        return field;
      }
    }
    return null;
  }

  private @Nullable JsonValue string() {
    int start = at;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        String content = text.substring(start, at - 1);
        skipSpaces();
        return new JsonValue(Kind.STRING, content);
      }
      if (c < FIRST_PRINTABLE || c == '\\' || Character.isSurrogate(c)) {
        return null;
      }
    }
    return null;
  }

  private @Nullable JsonValue number() {
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    int digits = at - start;
    if (digits == 0 || digits > MAX_DIGITS || (digits > 1 && text.charAt(start) == '0')) {
      return null;
    }
    String literal = text.substring(start, at);
    skipSpaces();
    return new JsonValue(Kind.NUMBER, literal);
  }
}
