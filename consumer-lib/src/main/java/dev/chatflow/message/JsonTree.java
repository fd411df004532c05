package dev.chatflow.message;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON that servers exchange: objects, arrays, strings and integers; everything else is
 * rejected. Stateless and thread-safe.
 */
public final class JsonTree {

  private static final int MAX_LEVELS = 8;

  private JsonTree() {}

  /** Returns a map with string keys, a list, a string or a {@link Long}. */
  public static Object read(String text) throws MalformedTextException {
    JsonReader reader = new JsonReader(Reader.of(text));
    reader.setStrictness(Strictness.STRICT);
    try {
      return value(reader, MAX_LEVELS);
    } catch (IOException | NumberFormatException | IllegalStateException e) {
      throw new MalformedTextException("not what a server writes: " + e.getMessage());
    }
  }

  private static Object value(JsonReader reader, int levels)
      throws IOException, MalformedTextException {
    if (levels == 0) {
      throw new MalformedTextException("too many levels");
    }
    return switch (reader.peek()) {
      case STRING -> reader.nextString();
      case NUMBER -> reader.nextLong();
      case BEGIN_ARRAY -> list(reader, levels);
      case BEGIN_OBJECT -> map(reader, levels);
      case BOOLEAN, NULL, END_ARRAY, END_OBJECT, NAME, END_DOCUMENT ->
          throw new MalformedTextException("neither text nor whole number");
    };
  }

  private static List<Object> list(JsonReader reader, int levels)
      throws IOException, MalformedTextException {
    List<Object> list = new ArrayList<>();
    reader.beginArray();
    while (reader.hasNext()) {
      list.add(value(reader, levels - 1));
    }
    reader.endArray();
    return list;
  }

  private static Map<String, Object> map(JsonReader reader, int levels)
      throws IOException, MalformedTextException {
    Map<String, Object> map = new LinkedHashMap<>();
    reader.beginObject();
    while (reader.hasNext()) {
      map.put(reader.nextName(), value(reader, levels - 1));
    }
    reader.endObject();
    return map;
  }
}
