package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OriginWarningsTest {

  private static final long HOUR = OriginWarnings.EVERY.toNanos();

  private final OriginWarnings warnings = new OriginWarnings();

  @Test
  void eachOriginIsNamedOnceAnHour() {
    assertThat(warnings.take("https://a.example", 0)).isTrue();
    assertThat(warnings.take("https://a.example", HOUR - 1)).isFalse();
    assertThat(warnings.take("https://b.example", HOUR - 1)).isTrue();
    assertThat(warnings.take("https://a.example", HOUR)).isTrue();
  }

  /** The client chooses the content of that header. */
  @Test
  void originsAreBounded() {
    for (int i = 0; i < OriginWarnings.MAX; i++) {
      assertThat(warnings.take("https://" + i + ".example", 0)).isTrue();
    }
    assertThat(warnings.take("https://more.example", 0)).isFalse();
    assertThat(warnings.take("https://more.example", HOUR)).isTrue();
  }
}
