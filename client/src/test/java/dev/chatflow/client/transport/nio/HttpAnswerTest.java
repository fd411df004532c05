package dev.chatflow.client.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class HttpAnswerTest {
  @Test
  void answerIsCompleteWithTheLastByteOfItsBody() {
    assertEveryPrefixIsIncomplete("HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nabcd", 201);
    assertEveryPrefixIsIncomplete(
        "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab0\n\r\n0\r\n\r\n", 201);
    assertEveryPrefixIsIncomplete("HTTP/1.1 204 No Content\r\n\r\n", 204);
  }

  @Test
  void headersAreReadInAnyCase() {
    HttpAnswer answer =
        answer(
            "HTTP/1.1 503 X\r\ncontent-length: 0\r\nRETRY-AFTER: 2\r\nconnection: Close\r\n\r\n");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.retryAfterMillis()).isEqualTo(2_000);
    assertThat(answer.closes()).isTrue();
  }

  @Test
  void nonHttpAnswerHasNoStatus() {
    assertThat(answer("SSH-2.0 hello there\r\n\r\n").status()).isZero();
  }

  private static void assertEveryPrefixIsIncomplete(String text, int status) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    for (int to = 0; to < bytes.length; to++) {
      assertThat(HttpAnswer.of(bytes, to).end()).as("%d bytes", to).isNegative();
    }
    assertThat(HttpAnswer.of(bytes, bytes.length).end()).isEqualTo(bytes.length);
    assertThat(HttpAnswer.of(bytes, bytes.length).status()).isEqualTo(status);
  }

  private static HttpAnswer answer(String text) {
    return HttpAnswer.of(text.getBytes(StandardCharsets.US_ASCII), text.length());
  }
}
