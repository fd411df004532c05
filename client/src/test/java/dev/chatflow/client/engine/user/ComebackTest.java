package dev.chatflow.client.engine.user;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ComebackTest {
  @ParameterizedTest
  @ValueSource(ints = {1006, 1013, 4008, 4010})
  void lossesTheProtocolWantsMendedAreMended(int code) {
    assertThat(Comeback.after(code, "")).isEqualTo(new Comeback(true, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 1002, 1003, 1007, 1008, 1009, 4009})
  void otherCodesEndTheUser(int code) {
    assertThat(Comeback.after(code, "").allowed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1001, 1012})
  void serverThatSendsAwayMaySayForHowLong(int code) {
    assertThat(Comeback.after(code, "reconnect after 1250 ms"))
        .isEqualTo(new Comeback(true, 1_250_000_000L));
    assertThat(Comeback.after(code, "bye")).isEqualTo(new Comeback(true, 0));
  }
}
