package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GathererTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", "abc", "äöü", "漢字", "😀 mixed é 漢", "\u0000\u007f\u0080\u07ff\u0800\uffff"})
  void lengthIsThatOfUtf8(String text) {
    assertThat(ChatEndpoint.Gatherer.utf8Length(text))
        .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }
}
