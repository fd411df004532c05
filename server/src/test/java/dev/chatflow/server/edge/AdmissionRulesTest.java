package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.support.RateLimit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The small rules of admission: rates and addresses. */
class AdmissionRulesTest {

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
        "198.51.100.7 | 203.0.113.9 | 198.51.100.7", // not a trusted proxy
        "10.0.0.5 | 203.0.113.9 | 203.0.113.9",
        "10.0.0.5 | 1.1.1.1, 203.0.113.9 | 203.0.113.9", // the client may have forged the first
        "10.0.0.5 | 203.0.113.9, 10.1.2.3 | 203.0.113.9", // two trusted proxies
        "10.0.0.5 | - | 10.0.0.5",
        "10.0.0.5 | not an address | 10.0.0.5",
        "10.0.0.5 | 999.999.999.999 | 10.0.0.5",
        "10.0.0.5 | 203.0.113 | 10.0.0.5",
        "10.0.0.5 | 1.1.1.1 & 203.0.113.9 | 203.0.113.9", // the proxy wrote a separate line
        "10.0.0.5 | 1.1.1.1 & 203.0.113.9 & 10.1.2.3 | 203.0.113.9",
        "fd00::1 | 2001:db8::7 | 2001:db8::7",
        "10.0.0.5 | 203.0.113.9:5678 | 203.0.113.9", // proxies that also write the port
        "10.0.0.5 | 203.0.113.9:5678, 10.1.2.3:80 | 203.0.113.9",
        "fd00::1 | [2001:db8::7]:5678 | 2001:db8::7",
        "fd00::1 | [2001:db8::7] | 2001:db8::7",
        "10.0.0.5 | [203.0.113.9:1 | 10.0.0.5",
        "10.0.0.5 | proxy.example:80 | 10.0.0.5"
      })
  void clientIsTheLastUntrustedHop(String peer, @Nullable String forwarded, String client) {
    TrustedProxies proxies = TrustedProxies.parse("10.0.0.0/8, fd00::/8");
    List<String> lines = forwarded == null ? List.of() : List.of(forwarded.split(" & ", -1));
    assertThat(proxies.client(peer, lines)).isEqualTo(client);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "proxy.example",
        "10.0.0.0/33",
        "10.0.0",
        "::1/129",
        "10.0.0.0/abc",
        "10.0.0.0/",
        "10.0.0.0/-1",
        "10.0.0.0/99999999999"
      })
  void badRangesAreNamed(String text) {
    assertThatThrownBy(() -> TrustedProxies.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
