package dev.chatflow.message;

import java.util.Map;

/**
 * The value of a known field.
 *
 * @param kind its JSON type
 * @param text the content of a string, the literal of a number or boolean, or {@code data} as it
 *     was written; else empty
 * @param fields the known fields of an object, else empty
 */
public record JsonValue(Kind kind, String text, Map<Field, JsonValue> fields) {

  public JsonValue(Kind kind, String text) {
    this(kind, text, Map.of());
  }

  /** A JSON type, as named in errors. */
  public enum Kind {
    STRING("a string"),
    NUMBER("a number"),
    BOOLEAN("a boolean"),
    NULL("null"),
    OBJECT("an object"),
    ARRAY("an array");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  static JsonValue string(String text) {
    return new JsonValue(Kind.STRING, text);
  }

  public boolean isString() {
    return kind == Kind.STRING;
  }
}
