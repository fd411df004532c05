package dev.chatflow.message;

import static dev.chatflow.message.Frames.ROOM;
import static dev.chatflow.message.Frames.frame;
import static dev.chatflow.message.Frames.malformed;
import static dev.chatflow.message.Frames.quoted;
import static dev.chatflow.message.Frames.valid;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which JSON a client may send, and where it is said to break. */
class ClientJsonTest {

  @Test
  void whitespaceOfJsonIsAllowedAround() {
    assertThat(valid(" \t\r\n" + frame() + "\r\n")).isEqualTo(valid(frame()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "\"x\"", "null", "true", "[{}]", "NaN"})
  void otherThanAnObjectIsMalformed(String frame) {
    assertThat(malformed(frame)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "{}x",
        "{}{}",
        "{} 1",
        "{},",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":5.}",
        "{\"a\":1e}",
        "{\"a\":-}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":TRUE}",
        "{\"a\":nul}",
        "{\"a\":nullx}",
        "{'a':1}",
        "{a:1}",
        "{\"a\":'x'}",
        "{\"a\"=1}",
        "{\"a\"=>1}",
        "{\"a\":1;\"b\":2}",
        "{\"a\":x}",
        "{\"a\":[1,]}",
        "{\"a\":[,1]}",
        "{\"a\":[1;2]}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\'\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"x",
        "{\"a\":\"x\u0000\"}",
        "{\"a\":\"x\n\"}",
        "{\"a\":\"x\u001f\"}",
        "{\"a\t\":1}",
        "{\"a\":\"x\\\n\"}",
        "{/**/}",
        "{}//",
        "{} #",
        ")]}'\n{}",
        "{\u00a0}",
        "\ufeff{}",
        "{\ufeff}",
        "{}\ufeff",
        "{\"a\":1]",
        "{\"a\":[1}",
        "{\"a\":\u0661}"
      })
  void brokenJsonIsMalformed(String frame) {
    assertThat(malformed(frame)).isNotEmpty().doesNotContain("Gson", "http", "$");
  }

  @Test
  void reasonSaysWhereTheJsonBreaks() {
    assertThat(malformed("{\"a\":1,}")).startsWith("not valid JSON near line 1 column ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "{}", ",", "\"", "//", "\ufeff", "]"})
  void reasonSaysThatTextFollowsTheObject(String trail) {
    assertThat(malformed(frame() + " " + trail))
        .isEqualTo("must be one JSON object and nothing else");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":1}",
        "{\"userId\":1,\"x\":2,\"userId\":1}",
        "{\"x\":{\"a\":1,\"a\":2}}",
        "{\"x\":[[{\"a\":1,\"a\":2}]]}",
        "{\"a\":1,\"\\u0061\":2}"
      })
  void keyThatOccursTwiceIsMalformed(String frame) {
    assertThat(malformed(frame)).endsWith("occurs twice");
  }

  @Test
  void sameKeyInDifferentObjectsIsAllowed() {
    assertThat(valid(frame("x", "{\"userId\":1,\"a\":{\"userId\":2}}"))).isEqualTo(valid(frame()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\ud83d",
        "\\ude00",
        "\\ud83dx",
        "x\\ude00\\ud83d",
        "\\ud83d\\ud83d\\ude00",
        "\\uD83D\\n"
      })
  void loneSurrogateIsMalformed(String text) {
    assertThat(malformed(frame("message", quoted(text)))).contains("lone surrogate");
    assertThat(malformed(frame("unknown", "[" + quoted(text) + "]"))).contains("lone surrogate");
    assertThat(malformed(frame(text, "1"))).contains("lone surrogate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[%s]", "{\"b\":%s}", "[1,%s]"})
  void moreThanSixteenLevelsAreMalformedAndSixteenAreNot(String around) {
    assertThat(malformed(frame("x", nested(around, 16)))).contains("16 levels");
    assertThat(valid(frame("x", nested(around, 15)))).isEqualTo(valid(frame()));
  }

  private static String nested(String around, int levels) {
    return levels == 0 ? "1" : around.formatted(nested(around, levels - 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "[{\"a\":"})
  void deepGarbageIsMalformed(String opening) {
    String deep = opening.repeat(new ClientRules(UserIds.NUMBER).maxFrameBytes());
    assertThat(malformed(deep)).isNotEmpty();
    assertThat(malformed("{\"x\":" + deep)).contains("16 levels");
  }

  @Test
  void malformedOutranksWrongFields() {
    assertThat(malformed("{\"userId\":0,\"userId\":0}")).contains("'userId' occurs twice");
  }

  @Test
  void numberBeyondTheBufferOfTheReaderIsMalformed() {
    assertThat(valid(frame("x", "9".repeat(1023)))).isEqualTo(valid(frame()));
    assertThat(malformed(frame("x", "9".repeat(1024)))).startsWith("not valid JSON");
  }

  @Test
  void mutatedFramesAreJudgedAndNeverThrow() {
    Random random = new Random(17);
    byte[] seed = frame("note", "[{\"a\":\"\\ud83d\\ude00 \u00e9\"}]").getBytes(UTF_8);
    int judged = 0;
    for (int i = 0; i < 2_000; i++) {
      Parsed parsed =
          MessageCodec.parse(
              new String(Mutation.of(seed, random), UTF_8), ROOM, new ClientRules(UserIds.NUMBER));
      judged += parsed instanceof Parsed.Malformed ? 1 : 0;
    }
    assertThat(judged).isBetween(400, 1_999);
  }
}
