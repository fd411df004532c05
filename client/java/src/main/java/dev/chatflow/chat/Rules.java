package dev.chatflow.chat;

import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the protocol for texts and signals. Each method returns why every server would
 * reject the input; null if it is valid. Pure functions.
 */
final class Rules {

  private static final Pattern KIND = Pattern.compile("[A-Za-z0-9._:-]{1,32}");
  private static final int MAX_SIGNAL = 500;
  private static final int MAX_DATA = 2_048;

  private Rules() {}

  /** Throws in the call that sends the input if it is invalid. */
  static void require(@Nullable String wrong) {
    if (wrong != null) {
      throw new IllegalArgumentException(wrong);
    }
  }

  static @Nullable String wrongSignal(Extras extras, String text) {
    String kind = extras.kind();
    return kind == null || !KIND.matcher(kind).matches()
        ? "the kind of a signal must be 1 to 32 of A-Z a-z 0-9 . _ : -, found " + kind
        : wrong(text, extras, 0, MAX_SIGNAL);
  }

  static @Nullable String wrongText(String text, Extras extras, int most) {
    boolean mayBeEmpty = extras.data() != null || "delete".equals(extras.kind());
    return wrong(text, extras, mayBeEmpty ? 0 : 1, most);
  }

  private static @Nullable String wrong(String text, Extras extras, int least, int most) {
    Objects.requireNonNull(text, "text is null: a text has 1 to " + most + " characters");
    String wrongData = wrongData(extras.data());
    if (wrongData != null) {
      return wrongData;
    }
    int characters = text.codePointCount(0, text.length());
    if (characters > most || characters < least) {
      return "a text has %d to %d characters, this one has %d: %s"
          .formatted(least, most, characters, characters < 1 ? "skip empty texts" : "split it");
    }
    return text.codePoints().anyMatch(c -> c >= 0xd800 && c < 0xe000)
        ? "the text contains half a character (an unpaired surrogate): do not cut between the two"
            + " chars of a pair"
        : null;
  }

  static @Nullable String wrongData(@Nullable String data) {
    return data == null || isObject(data) ? null : "data is one JSON object of at most 2,048 bytes";
  }

  private static boolean isObject(String json) {
    try {
      return JsonParser.parseString(json).isJsonObject()
          && json.getBytes(StandardCharsets.UTF_8).length <= MAX_DATA;
    } catch (JsonParseException ignored) {
      return false;
    }
  }
}
