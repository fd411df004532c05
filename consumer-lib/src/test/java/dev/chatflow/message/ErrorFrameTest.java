package dev.chatflow.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The frame that a client gets for a rejection. */
class ErrorFrameTest {

  private static final String USER_ID_RULE = "must be an integer from 1 to 100000";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1970-01-01T00:00:00.000Z",
        "1999-12-31T23:59:59.999Z",
        "2000-02-29T00:00:00.001Z",
        "2026-11-20T18:46:00.010Z",
        "2100-03-01T12:34:56.100Z",
        "9999-12-31T23:59:59.999Z"
      })
  void serverTimestampHasAlwaysThreeDigits(String time) {
    long millis = Instant.parse(time).toEpochMilli();
    ErrorFrame error = ErrorFrame.refusal(ErrorCode.NOT_JOINED, "join first", null, millis);
    assertThat(MessageCodec.error(error))
        .asString(UTF_8)
        .isEqualTo(
            "{\"status\":409,\"errorCode\":\"NOT_JOINED\",\"error\":\"join first\","
                + "\"serverTimestamp\":\""
                + time
                + "\"}");
  }

  @Test
  void timeThatNeedsMoreThanFourDigitsIsNotWritten() {
    ErrorFrame late =
        ErrorFrame.refusal(ErrorCode.NOT_JOINED, "join first", null, Rfc3339.MAX_MILLIS + 1);
    ErrorFrame early = ErrorFrame.refusal(ErrorCode.NOT_JOINED, "join first", null, -1);
    assertThatThrownBy(() -> MessageCodec.error(late)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MessageCodec.error(early))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oneInvalidFieldIsReportedInTheSingular() {
    Parsed.Invalid one = new Parsed.Invalid(new TreeMap<>(Map.of("userId", USER_ID_RULE)), null);
    assertThat(ErrorFrame.of(one, 0).text()).isEqualTo("1 field is wrong");
  }

  @Test
  void onlyWrongFieldsAreListed() {
    assertThatThrownBy(() -> ErrorFrame.refusal(ErrorCode.VALIDATION_FAILED, "wrong", null, 0))
        .isInstanceOf(IllegalArgumentException.class);
    TreeMap<String, String> errors = new TreeMap<>(Map.of("userId", USER_ID_RULE));
    assertThatThrownBy(() -> new ErrorFrame(ErrorCode.BAD_ROOM, "no room", errors, null, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void halfASurrogatePairIsNeverWritten() {
    ErrorFrame half = ErrorFrame.refusal(ErrorCode.BAD_ROOM, "x\ud83dx", null, 0);
    ErrorFrame otherHalf = ErrorFrame.refusal(ErrorCode.BAD_ROOM, "\ude00", null, 0);
    assertThatThrownBy(() -> MessageCodec.error(half)).hasMessageContaining("lone surrogate");
    assertThatThrownBy(() -> MessageCodec.error(otherHalf)).hasMessageContaining("lone surrogate");
  }

  @Test
  void waitBeforeTryingAgainIsNotNegative() {
    ErrorFrame error = ErrorFrame.refusal(ErrorCode.RATE_LIMITED, "slower", null, 0);
    assertThatThrownBy(() -> error.retryAfter(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
