package dev.chatflow.room;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameNameTest {

  private static final String TIME = "2026-11-20T18:46:00.125Z";
  private static final long MILLIS = 1_795_200_360_125L;
  private static final FrameName NAME = new FrameName("TEXT", "17", "c-17-42", TIME, MILLIS);

  private static String frame(String type, String user, String id, String time) {
    return ("{'messageType':'%s','roomId':'5','userId':'%s','username':'user17','message':'hello',"
            + "'timestamp':'2026-11-20T18:46:00Z','messageId':'%s','serverTimestamp':'%s',"
            + "'serverId':'s','status':200}")
        .formatted(type, user, id, time)
        .replace('\'', '"');
  }

  @Test
  void isTheNameOfAFrameWithItsFourFields() {
    assertThat(NAME.isOf(frame("TEXT", "17", "c-17-42", TIME))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "JOIN, 17, c-17-42, 2026-11-20T18:46:00.125Z",
    "TEXT, 170, c-17-42, 2026-11-20T18:46:00.125Z",
    "TEXT, 1, c-17-42, 2026-11-20T18:46:00.125Z",
    "TEXT, 17, c-17-421, 2026-11-20T18:46:00.125Z",
    "TEXT, 17, c-17-42, 2026-11-20T18:46:00.126Z"
  })
  void isNotTheNameOfAFrameThatDiffersInOne(String type, String user, String id, String time) {
    assertThat(NAME.isOf(frame(type, user, id, time))).isFalse();
  }

  @Test
  void textThatLooksLikeFieldsIsNone() {
    String told = frame("TEXT", "18", "c-18-1", TIME);
    String says = frame("TEXT", "17", "c-17-42", TIME).replace("\"", "\\\"");

    assertThat(NAME.isOf(told.replace("hello", says))).isFalse();
  }

  @Test
  void hashIsThatOfTheBytes() {
    byte[] bytes = ".17.c-17-42..".getBytes(US_ASCII);

    long user = FrameName.hash(MILLIS, bytes, 1, 3);
    assertThat(FrameName.hash(user, bytes, 4, 11)).isEqualTo(NAME.hash());
    assertThat(FrameName.hash(user, bytes, 4, 10)).isNotEqualTo(NAME.hash());
    long later = FrameName.hash(MILLIS + 1, bytes, 1, 3);
    assertThat(FrameName.hash(later, bytes, 4, 11)).isNotEqualTo(NAME.hash());
    long other = FrameName.hash(MILLIS, bytes, 1, 2);
    assertThat(FrameName.hash(other, bytes, 4, 11)).isNotEqualTo(NAME.hash());
  }

  @Test
  void userIdAndMessageIdAreSeparateInTheHash() {
    FrameName one = new FrameName("TEXT", "ann", "1-c", TIME, MILLIS);
    FrameName other = new FrameName("TEXT", "ann1", "-c", TIME, MILLIS);
    assertThat(one.hash()).isNotEqualTo(other.hash());
  }
}
