package dev.chatflow.message;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import dev.chatflow.message.JsonValue.Kind;
import java.io.IOException;
import java.io.Reader;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a text as one JSON object by RFC 8259 with further restrictions: no duplicate key in an
 * object, no lone surrogate, at most {@value #MAX_LEVELS} levels, no byte order mark.
 *
 * <p>One thread, used once. Gson rejects invalid JSON and lone surrogates, but accepts a byte order
 * mark, duplicate keys and any depth, so these are checked here. A number with more than 1,023
 * characters is rejected too, because Gson reads numbers within one buffer.
 */
public final class StrictObject {

  /** Maximum nesting of objects and arrays, including the outer object. */
  static final int MAX_LEVELS = 16;

  private static final Pattern POSITION = Pattern.compile(" at (line \\d+ column \\d+)");
  private static final String LONE_SURROGATE = "Unpaired surrogate";
  private static final int MAX_QUOTED_KEY = 40;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final String text;
  private final JsonReader reader;
  private int dataMember;

  private StrictObject(String text) {
    this.text = text;
    reader = new JsonReader(Reader.of(text));
    reader.setStrictness(Strictness.STRICT);
  }

  /**
   * Returns the values of {@code text} by known field; other fields are checked and dropped. The
   * field {@link Field#DATA} keeps its text, if it is an object.
   */
  public static Map<Field, JsonValue> fieldsOf(String text) throws MalformedTextException {
    if (!text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) {
      throw new MalformedTextException("must not begin with a byte order mark");
    }
    StrictObject object = new StrictObject(text);
    try {
      return object.readAll();
    } catch (IOException e) { // from a reader over a string: always invalid JSON
      throw new MalformedTextException(reason(e));
    }
  }

  private Map<Field, JsonValue> readAll() throws IOException, MalformedTextException {
    if (reader.peek() != JsonToken.BEGIN_OBJECT) {
      throw new MalformedTextException("must be one JSON object");
    }
    Map<Field, JsonValue> fields = readObject(1);
    if (!isAtEnd()) {
      throw new MalformedTextException("must be one JSON object and nothing else");
    }
    fields.computeIfPresent(Field.DATA, (_, value) -> asWritten(value));
    return fields;
  }

  /** Line breaks between its parts become spaces, because a broker line has none. */
  private JsonValue asWritten(JsonValue data) {
    return data.kind() == Kind.OBJECT
        ? new JsonValue(
            Kind.OBJECT, JsonMembers.value(text, dataMember).replace('\n', ' ').replace('\r', ' '))
        : data;
  }

  private boolean isAtEnd() throws IOException {
    try {
      return reader.peek() == JsonToken.END_DOCUMENT;
    } catch (MalformedJsonException e) { // how a strict reader reports trailing text
      return false;
    }
  }

  private Map<Field, JsonValue> readObject(int level) throws IOException, MalformedTextException {
    reader.beginObject();
    Map<Field, JsonValue> fields = new EnumMap<>(Field.class);
    Set<String> names = new HashSet<>();
    while (reader.hasNext()) {
      String name = reader.nextName();
      if (!names.add(name)) {
        throw new MalformedTextException(quotable(name) + " occurs twice");
      }
      JsonValue value = value(level);
      Field field = Field.named(name);
      if (field != null) {
        fields.put(field, value);
      }
      if (field == Field.DATA && level == 1) {
        dataMember = names.size() - 1;
      }
    }
    reader.endObject();
    return fields;
  }

  private JsonValue value(int level) throws IOException, MalformedTextException {
    return switch (reader.peek()) {
      case STRING -> new JsonValue(Kind.STRING, reader.nextString());
      case NUMBER -> new JsonValue(Kind.NUMBER, reader.nextString());
      case BOOLEAN -> new JsonValue(Kind.BOOLEAN, String.valueOf(reader.nextBoolean()));
      case NULL -> {
        reader.nextNull();
        yield new JsonValue(Kind.NULL, "");
      }
      case BEGIN_OBJECT -> {
        yield new JsonValue(Kind.OBJECT, "", readObject(below(level)));
      }
      case BEGIN_ARRAY -> {
        readArray(below(level));
        yield new JsonValue(Kind.ARRAY, "");
      }
      case END_OBJECT, END_ARRAY, NAME, END_DOCUMENT ->
          throw new IllegalStateException("no value can begin with " + reader.peek());
    };
  }

  private void readArray(int level) throws IOException, MalformedTextException {
    reader.beginArray();
    while (reader.hasNext()) {
      value(level);
    }
    reader.endArray();
  }

  private static int below(int level) throws MalformedTextException {
    if (level == MAX_LEVELS) {
      throw new MalformedTextException("must not have more than " + MAX_LEVELS + " levels");
    }
    return level + 1;
  }

  private static String quotable(String name) {
    return Alphabet.NAME.spells(name, 1, MAX_QUOTED_KEY) ? "the key '" + name + "'" : "a key";
  }

  /**
   * Builds the reason. Gson's message mentions its settings, so only the position and one cause are
   * taken from it.
   */
  private static String reason(IOException e) {
    String words = String.valueOf(e.getMessage());
    String cause = words.startsWith(LONE_SURROGATE) ? "lone surrogate" : "not valid JSON";
    Matcher position = POSITION.matcher(words);
    return position.find() ? cause + " near " + position.group(1) : cause;
  }
}
