package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class NoticeTest {
  @Test
  void refusalNamesTheMessageOfThisRun() {
    assertThat(
            notice(
                "{\"status\":503,\"errorCode\":\"SERVICE_UNAVAILABLE\",\"retryAfterMs\":250,\"messageId\":\"ab12-00mo-000016\"}"))
        .isEqualTo(new Notice.Refusal(503, "SERVICE_UNAVAILABLE", 42, false, 250));
  }

  @Test
  void refusalOfAnotherRunsMessageNamesNone() {
    assertThat(
            notice(
                "{\"status\":422,\"errorCode\":\"VALIDATION_FAILED\",\"messageId\":\"c-17-000042\"}"))
        .isEqualTo(new Notice.Refusal(422, "VALIDATION_FAILED", -1, false, 0));
  }

  @Test
  void refusalOfASignalIsRecognised() {
    assertThat(
            notice(
                "{\"status\":429,\"errorCode\":\"RATE_LIMITED\",\"messageId\":\"ab12.00mo-000016\"}"))
        .isEqualTo(new Notice.Refusal(429, "RATE_LIMITED", -1, true, 0));
  }

  @Test
  void otherFramesAreUnreadable() {
    assertThat(notice("hello")).isEqualTo(new Notice.Unreadable());
    assertThat(notice("[1]")).isEqualTo(new Notice.Unreadable());
    assertThat(notice("{\"a\":1}")).isEqualTo(new Notice.Unreadable());
    assertThat(notice("{\"status\":\"many\"}")).isEqualTo(new Notice.Unreadable());
  }

  private static Notice notice(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Notice.of(bytes, 0, bytes.length, "ab12");
  }
}
