package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoomIdTest {

  @ParameterizedTest
  @ValueSource(strings = {"1", "0", "lobby", "A-Z_a-z_09"})
  void lettersDigitsUnderscoreAndHyphenAreAllowed(String id) {
    assertThat(RoomId.isValid(id)).isTrue();
    assertThat(new RoomId(id)).hasToString(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a.b", "a/b", "ä", "#", "*", "a\n"})
  void everythingElseIsRefused(String id) {
    assertThat(RoomId.isValid(id)).isFalse();
    assertThatThrownBy(() -> new RoomId(id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + id + "'");
  }

  @Test
  void sixtyFourCharactersAreTheMost() {
    assertThat(RoomId.isValid("x".repeat(64))).isTrue();
    assertThat(RoomId.isValid("x".repeat(65))).isFalse();
  }
}
