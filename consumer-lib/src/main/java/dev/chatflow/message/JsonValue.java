package dev.chatflow.message;

import java.util.Map;

/**
 * The value of one known field.
 *
 * @param kind its JSON type
 * @param text a string's content or a number's or boolean's literal, else empty
 * @param fields the known fields of an object, else empty
 */
public record JsonValue(Kind kind, String text, Map<Field, JsonValue> fields) {

  public JsonValue(Kind kind, String text) {
    this(kind, text, Map.of());
  }

  /** A JSON type, as it is called in errors. */
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

  public boolean isString() {
    return kind == Kind.STRING;
  }
}
