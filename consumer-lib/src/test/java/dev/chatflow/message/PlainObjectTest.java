package dev.chatflow.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainObjectTest {

  private static final String USUAL =
      "{\"messageType\":\"TEXT\",\"userId\":\"17\",\"username\":\"user17\",\"message\":\"h\u00e9llo\","
          + "\"timestamp\":\"2026-11-20T18:46:00.123Z\",\"messageId\":\"c-1\"}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        USUAL,
        "{ \"userId\" : 17 , \"message\" : \"\" }  ",
        "{\"status\":0}",
        "{\"username\":\"a}b{,:\"}"
      })
  void plainObjectIsReadAsTheStrictReaderDoes(String text) throws Exception {
    assertThat(PlainObject.fieldsOf(text)).isEqualTo(StrictObject.fieldsOf(text)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        " {\"userId\":1}",
        "{\"userId\":1}x",
        "{\"userId\":1,}",
        "{\"userId\":1 \"message\":\"\"}",
        "{\"userId\":01}",
        "{\"userId\":1.0}",
        "{\"userId\":1234567890}",
        "{\"userId\":-1}",
        "{\"userId\":null}",
        "{\"userId\":1,\"userId\":1}",
        "{\"note\":\"x\"}",
        "{\"message\":\"a\\nb\"}",
        "{\"message\":\"\t\"}",
        "{\"message\":\"\ud83d\ude00\"}",
        "{\"message\":\"",
        "{\"message\"",
        "{\"message"
      })
  void restIsLeftToTheStrictReader(String text) {
    assertThat(PlainObject.fieldsOf(text)).isNull();
  }

  /** Both readers agree on frames with one to three changes if the frame is plain. */
  @Test
  void mutatedFramesAreNeverReadOtherwise() throws Exception {
    Random random = new Random(23);
    List<String> seeds =
        List.of(USUAL, "{ \"userId\":17, \"status\":200,\"message\" : \"a, {b}\" }");
    int plain = 0;
    for (int i = 0; i < 40_000; i++) {
      byte[] seed = seeds.get(i % seeds.size()).getBytes(UTF_8);
      String text = new String(Mutation.of(seed, random), UTF_8);
      Map<Field, JsonValue> fields = PlainObject.fieldsOf(text);
      if (fields != null) {
        assertThat(fields).as(text).isEqualTo(StrictObject.fieldsOf(text));
        plain++;
      }
    }
    assertThat(plain).isGreaterThan(2_000);
  }
}
