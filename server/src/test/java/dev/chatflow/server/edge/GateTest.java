package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.identity.Access;
import dev.chatflow.identity.AccessConfig;
import dev.chatflow.identity.Identity;
import dev.chatflow.identity.Issuer;
import dev.chatflow.message.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateTest {

  private static final String PROXY = "192.0.2.9";
  private static final Duration HOUR = Duration.ofHours(1);

  private final Gate gate =
      TestEdge.gate(PROXY, Access.open(), TestEdge.clock(System::currentTimeMillis));

  private static HttpServletRequest request(String peer, Map<String, List<String>> headers) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            GateTest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (_, method, arguments) ->
                switch (method.getName()) {
                  case "getRemoteAddr" -> peer;
                  case "isSecure" -> false;
                  case "getLocalAddr" -> "192.0.2.1";
                  case "getHeaders" ->
                      Collections.enumeration(headers.getOrDefault(arguments[0], List.of()));
                  case "getHeader" ->
                      headers.containsKey(arguments[0])
                          ? headers.get(arguments[0]).getFirst()
                          : null;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void clientBehindATrustedProxyIsNamedWhateverItWroteItself() {
    Map<String, List<String>> lines =
        Map.of("X-Forwarded-For", List.of("198.51.100.1", "203.0.113.7"));
    assertThat(gate.enter(request(PROXY, lines)))
        .as("the client's line, then the proxy's")
        .isEqualTo(TestEdge.visitor("203.0.113.7"));
    assertThat(gate.enter(request("198.51.100.2", lines)))
        .isEqualTo(TestEdge.visitor("198.51.100.2"));
  }

  @Test
  void schemeIsAcceptedOnlyFromATrustedProxy() {
    Map<String, List<String>> plain =
        Map.of(
            "Host", List.of("chat.test"),
            "Origin", List.of("http://chat.test"),
            "X-Forwarded-Proto", List.of("wss"));
    assertThat(gate.enter(request(PROXY, plain))).isInstanceOf(Gate.Refused.class);
    assertThat(gate.enter(request("198.51.100.2", plain)))
        .isEqualTo(new Gate.Visitor("198.51.100.2", "http://chat.test", Identity.ANYBODY));
  }

  private static final Issuer ISSUER = Issuer.hs256("0123456789abcdef0123456789abcdef");

  private static Gate limited(Access access) {
    return TestEdge.gate("", access, TestEdge.clock(System::currentTimeMillis));
  }

  private static HttpServletRequest with(String token) {
    return request("198.51.100.2", Map.of("Authorization", List.of("Bearer " + token)));
  }

  private static ErrorCode refused(Gate.Entry entry) {
    assertThat(entry).isInstanceOf(Gate.Refused.class);
    return ((Gate.Refused) entry).error().code();
  }

  /**
   * A signature costs up to 3 ms: a client that sends forged tokens must not choose how many are
   * verified.
   */
  @Test
  void addressIsLimitedBeforeASignatureIsChecked(@TempDir Path folder) throws Exception {
    try (Access access = access(folder)) {
      Gate gate = limited(access);
      Issuer other = Issuer.hs256("another secret of at least 32 bytes");
      for (int i = 0; i < 2; i++) {
        assertThat(gate.enter(with(other.token("17", HOUR, "5"))))
            .isInstanceOf(Gate.Stranger.class);
      }
      assertThat(refused(gate.enter(with(other.token("17", HOUR, "5")))))
          .isEqualTo(ErrorCode.RATE_LIMITED);
      assertThat(refused(gate.enter(with(ISSUER.token("17", HOUR, "5")))))
          .as("the same for a valid one")
          .isEqualTo(ErrorCode.RATE_LIMITED);
    }
  }

  /** The users of a back end all come from its address. */
  @Test
  void serviceThatIsKnownIsNotCounted(@TempDir Path folder) throws Exception {
    try (Access access = access(folder)) {
      Gate gate = limited(access);
      String service = ISSUER.token("*", HOUR, "*");
      for (int i = 0; i < 10; i++) {
        assertThat(gate.enter(with(service))).isInstanceOf(Gate.Visitor.class);
      }
      assertThat(gate.enter(with(ISSUER.token("17", HOUR, "5")))).isInstanceOf(Gate.Visitor.class);
      assertThat(gate.enter(with(ISSUER.token("18", HOUR, "5")))).isInstanceOf(Gate.Visitor.class);
      assertThat(refused(gate.enter(with(ISSUER.token("19", HOUR, "5")))))
          .isEqualTo(ErrorCode.RATE_LIMITED);
      assertThat(gate.enter(with(service))).isInstanceOf(Gate.Visitor.class);
    }
  }

  @Test
  void foreignPageCountsToo() {
    Gate gate = limited(Access.open(2));
    HttpServletRequest foreign =
        request("198.51.100.2", Map.of("Origin", List.of("https://evil.example.com")));
    assertThat(refused(gate.enter(foreign))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(gate.enter(foreign))).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(gate.enter(foreign))).isEqualTo(ErrorCode.RATE_LIMITED);
  }

  private static Access access(Path folder) throws IOException {
    Path keys = ISSUER.writeKey(folder.resolve("keys"));
    return Access.of(AccessConfig.parse(keys.toString(), "").withRate(2), "test-");
  }
}
