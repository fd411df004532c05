package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the frame that a member keeps as its last, and its name in a JOIN. */
final class LastFrameTest {
  private static final Path SAMPLES = Path.of("..", "docs", "protocol", "samples");

  private final LastFrame last = new LastFrame();

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(strings = {"broadcast-text", "broadcast-join", "broadcast-leave-synthetic"})
  void frameOfARoomIsNamedByFourFields(String sample) throws IOException {
    byte[] bytes = Files.readAllBytes(SAMPLES.resolve(sample + ".json"));
    JsonObject frame =
        JsonParser.parseString(new String(bytes, StandardCharsets.UTF_8)).getAsJsonObject();
    last.keep(bytes, 0, bytes.length);
    FrameName name = last.name();
    assertThat(name).isNotNull();
    JsonObject json = JsonParser.parseString(name.json()).getAsJsonObject();
    assertThat(json.keySet())
        .containsExactly("messageType", "userId", "messageId", "serverTimestamp");
    json.keySet().forEach(field -> assertThat(json.get(field)).isEqualTo(frame.get(field)));
    assertThat(FrameName.of(bytes, 0, bytes.length)).isEqualTo(name);
  }

  @Test
  void laterFrameReplacesThePreviousOne() {
    byte[] bytes = ascii("??" + frame("one, and longer") + frame("two"));
    int first = frame("one, and longer").length();
    last.keep(bytes, 2, 2 + first);
    assertThat(last.name()).isEqualTo(new FrameName("TEXT", "7", "one, and longer", "now"));
    last.keep(bytes, 2 + first, bytes.length);
    assertThat(last.name()).isEqualTo(new FrameName("TEXT", "7", "two", "now"));
  }

  private static String frame(String id) {
    return "{\"messageType\":\"TEXT\",\"userId\":\"7\",\"messageId\":\""
        + id
        + "\",\"serverTimestamp\":\"now\"}";
  }

  @Test
  void nothingIsNamedWhenNothingIsKept() {
    assertThat(last.isKept()).isFalse();
    assertThat(last.name()).isNull();
    byte[] bytes = ascii(frame("one"));
    last.keep(bytes, 0, bytes.length);
    last.forget();
    assertThat(last.isKept()).isFalse();
    assertThat(last.name()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"messageType\":\"TEXT\",\"userId\":\"7\",\"messageId\":\"a\"}",
        "{\"messageType\":[],\"userId\":\"7\",\"messageId\":\"a\",\"serverTimestamp\":\"now\"}",
        "[1]",
        "{",
      })
  void frameWithoutARequiredFieldHasNoName(String frame) {
    byte[] bytes = ascii(frame);
    assertThat(FrameName.of(bytes, 0, bytes.length)).isNull();
  }
}
