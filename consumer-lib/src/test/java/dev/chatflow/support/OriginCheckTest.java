package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginCheckTest {

  private static InetSocketAddress at(String literal, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // bound to, reached by, Host, Origin, passes
        "127.0.0.1, 127.0.0.1, localhost:8081, -, true",
        "127.0.0.1, 127.0.0.1, -, -, true",
        "127.0.0.1, 127.0.0.1, 127.0.0.1:9000, -, true", // a tunnel
        "127.0.0.1, 127.0.0.1, evil.test:8081, -, false", // DNS rebinding
        "::1, ::1, [::1]:8081, http://[::1]:8081, true",
        "127.0.0.1, 127.0.0.1, localhost:8081, http://localhost:8081, true",
        "127.0.0.1, 127.0.0.1, localhost:8081, http://localhost:8080, false",
        "127.0.0.1, 127.0.0.1, localhost:8081, https://localhost:8081, false",
        "127.0.0.1, 127.0.0.1, localhost:8081, http://localhost, false",
        "127.0.0.1, 127.0.0.1, localhost:8081, http://evil.test:8081, false",
        "127.0.0.1, 127.0.0.1, localhost:8081, null, false",
        "0.0.0.0, 192.0.2.1, server-1:8081, -, true",
        "0.0.0.0, 192.0.2.1, 192.0.2.1:8081, http://192.0.2.1:8081, true",
        "0.0.0.0, 192.0.2.1, evil.test:8081, http://evil.test:8081, false",
        "0.0.0.0, 127.0.0.1, evil.test:8081, http://evil.test:8081, false"
      })
  void programsAndOwnPagesPass(
      String bound,
      String reached,
      @Nullable String host,
      @Nullable String origin,
      boolean passes) {
    List<String> origins = origin == null ? List.of() : List.of(origin);
    String refusal = OriginCheck.refusal(origins, host, "http", at(bound, 8081), at(reached, 8081));
    assertThat(refusal == null).as(refusal).isEqualTo(passes);
  }

  @Test
  void thisMachineIsLoopbackOrTheRequestedAddress() {
    InetSocketAddress reached = at("192.0.2.1", 8081);
    assertThat(OriginCheck.isLocal(at("127.0.0.1", 5), at("127.0.0.1", 8081))).isTrue();
    assertThat(OriginCheck.isLocal(at("192.0.2.1", 5), reached)).isTrue();
    assertThat(OriginCheck.isLocal(at("192.0.2.2", 5), reached)).isFalse();
  }
}
