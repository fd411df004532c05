package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The small rules of the edge: lengths, rates, addresses. */
class EdgeRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", "abc", "äöü", "漢字", "😀 mixed é 漢", "\u0000\u007f\u0080\u07ff\u0800\uffff"})
  void lengthIsThatOfUtf8(String text) {
    assertThat(ChatEndpoint.Gatherer.utf8Length(text))
        .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void rateAllowsABurstOfOneSecondThenItsPace() {
    RateLimit rate = new RateLimit(10);
    long now = 0;
    for (int i = 0; i < 10; i++) {
      assertThat(rate.take(now)).isZero();
    }
    assertThat(rate.take(now)).isEqualTo(100);
    now += TimeUnit.MILLISECONDS.toNanos(100);
    assertThat(rate.take(now)).isZero();
    assertThat(rate.take(now)).isPositive();
    now += TimeUnit.SECONDS.toNanos(60);
    for (int i = 0; i < 10; i++) {
      assertThat(rate.take(now)).isZero();
    }
    assertThat(rate.take(now)).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "198.51.100.7 | 203.0.113.9 | 198.51.100.7", // nobody we trust
        "10.0.0.5 | 203.0.113.9 | 203.0.113.9",
        "10.0.0.5 | 1.1.1.1, 203.0.113.9 | 203.0.113.9", // the client may have forged the first
        "10.0.0.5 | 203.0.113.9, 10.1.2.3 | 203.0.113.9", // two of our proxies
        "10.0.0.5 | - | 10.0.0.5",
        "10.0.0.5 | not an address | 10.0.0.5",
        "fd00::1 | 2001:db8::7 | 2001:db8::7"
      })
  void clientIsTheLastHopThatIsNotOurs(String peer, String forwarded, String client) {
    TrustedProxies proxies = TrustedProxies.parse("10.0.0.0/8, fd00::/8");
    assertThat(proxies.client(peer, forwarded)).isEqualTo(client);
  }

  @ParameterizedTest
  @ValueSource(strings = {"proxy.example", "10.0.0.0/33", "10.0.0", "::1/129"})
  void badRangesAreNamed(String text) {
    assertThatThrownBy(() -> TrustedProxies.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }
}
