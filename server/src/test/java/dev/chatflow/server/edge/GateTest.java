package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.identity.Access;
import dev.chatflow.identity.Identity;
import dev.chatflow.message.UserIds;
import dev.chatflow.server.edge.admission.Origins;
import dev.chatflow.server.edge.admission.TrustedProxies;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GateTest {

  private static final String PROXY = "192.0.2.9";

  private final Gate gate =
      new Gate(
          TrustedProxies.parse(PROXY),
          Origins.OWN,
          Access.open(),
          UserIds.NUMBER,
          System::currentTimeMillis);

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
  void schemeIsBelievedOfATrustedProxyAlone() {
    Map<String, List<String>> plain =
        Map.of(
            "Host", List.of("chat.test"),
            "Origin", List.of("http://chat.test"),
            "X-Forwarded-Proto", List.of("wss"));
    assertThat(gate.enter(request(PROXY, plain))).isInstanceOf(Gate.Refused.class);
    assertThat(gate.enter(request("198.51.100.2", plain)))
        .isEqualTo(new Gate.Visitor("198.51.100.2", "http://chat.test", Identity.ANYBODY));
  }
}
