package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OriginsTest {

  private static boolean passes(Origins origins, @Nullable String origin, Origins.Target target) {
    return origins.refusal(origin == null ? List.of() : List.of(origin), target) == null;
  }

  private static Origins.Target host(@Nullable String host) {
    return new Origins.Target(host, null, null, true);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // origin, Host, scheme, port, passes
        "-, chat.example.com, -, -, true", // a program
        "http://chat.example.com, chat.example.com, -, -, true",
        "http://Chat.Example.com, chat.example.COM:80, -, -, true",
        "http://chat.example.com:8080, chat.example.com:8080, -, -, true",
        "http://[2001:db8::1]:8080, [2001:db8::1]:8080, -, -, true",
        "https://chat.example.com, chat.example.com, -, -, true", // a proxy may have ended TLS
        "https://chat.example.com, chat.example.com, https, -, true",
        "http://chat.example.com, chat.example.com, https, -, false",
        "https://chat.example.com:8443, chat.example.com, https, 8443, true",
        "https://chat.example.com, chat.example.com, https, 8443, false",
        "https://chat.example.com:8443, chat.example.com:8443, https, 443, true",
        "http://chat.example.com:8081, chat.example.com:8080, -, -, false",
        "http://evil.test, chat.example.com, -, -, false",
        "http://chat.example.com.evil.test, chat.example.com, -, -, false",
        "null, chat.example.com, -, -, false",
        "file://, chat.example.com, -, -, false",
        "http://chat.example.com/path, chat.example.com, -, -, false",
        "http://chat.example.com, -, -, -, false"
      })
  void ownPageIsTheOneWhoseOriginIsTheHost(
      @Nullable String origin,
      @Nullable String host,
      @Nullable String scheme,
      @Nullable Integer port,
      boolean passes) {
    Origins own = Origins.parse("same", false);
    assertThat(passes(own, origin, new Origins.Target(host, scheme, port, true))).isEqualTo(passes);
  }

  @ParameterizedTest
  @CsvSource({
    "https://app.example.com, true",
    "https://a.b.example.org:444, true",
    "https://example.org:444, false",
    "https://a.example.org, false",
    "https://aexample.org:444, false",
    "http://app.example.com, false",
    "https://chat.test, true"
  })
  void listedPagesMayToo(String origin, boolean passes) {
    Origins listed =
        Origins.parse("https://app.example.com, https://*.example.org:444", /* local= */ false);
    assertThat(passes(listed, origin, host("chat.test"))).isEqualTo(passes);
  }

  @Test
  void starIsEveryUser() {
    assertThat(passes(Origins.parse("*", true), "null", host("evil.test"))).isTrue();
  }

  @Test
  void severalOriginsAreNone() {
    List<String> two = List.of("http://chat.test", "http://chat.test");
    assertThat(Origins.OWN.refusal(two, host("chat.test"))).contains("CHATFLOW_ORIGINS");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "localhost:8080, true",
        "LOCALHOST, true",
        "chat.localhost:8080, true",
        "127.0.0.1:8080, true",
        "127.1.2.3, true",
        "[::1]:8080, true",
        "-, true", // no browser
        "evil.test:8080, false",
        "127.0.0.1.evil.test, false",
        "192.0.2.1, false",
        "'', false"
      })
  void serverOnLoopbackAnswersOnlyToNamesOfThisMachine(@Nullable String host, boolean passes) {
    assertThat(passes(Origins.parse("same", true), null, host(host))).isEqualTo(passes);
  }

  /** As in a foreign container, whose address is not one of ChatFlow's keys. */
  @Test
  void clientsFromOtherMachinesMayUseAnyHostName() {
    Origins.Target remote = new Origins.Target("chat.example.com", null, null, false);
    assertThat(passes(Origins.parse("same", true), null, remote)).isTrue();
    assertThat(passes(Origins.parse("same", true), "http://evil.test", remote)).isFalse();
  }

  @Test
  void pageWhoseNameWasMadeToLeadHereIsRefusedUnlessItIsListed() {
    Origins.Target rebound = host("evil.test:8080");
    assertThat(Origins.parse("same", true).refusal(List.of("http://evil.test:8080"), rebound))
        .contains("loopback", "evil.test", "CHATFLOW_ORIGINS");
    Origins proxied = Origins.parse("https://chat.example.com", true);
    assertThat(passes(proxied, "https://chat.example.com", host("chat.example.com"))).isTrue();
    assertThat(passes(proxied, null, host("chat.example.com"))).isTrue();
    assertThat(passes(proxied, null, rebound)).isFalse();
  }

  @Test
  void listNamesThePagesThatMayEmbedThePage() {
    assertThat(Origins.OWN.ancestors()).isEqualTo("'none'");
    assertThat(Origins.parse("*", false).ancestors()).isEqualTo("*");
    assertThat(Origins.parse("same,https://*.example.com, http://a.test:81", false).ancestors())
        .isEqualTo("https://*.example.com http://a.test:81");
  }

  @ParameterizedTest
  @ValueSource(strings = {"app.example.com", "https://", "https://*", "https://*x.test", "*.test"})
  void invalidOriginIsNamed(String text) {
    assertThatThrownBy(() -> Origins.parse("https://a.test," + text, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
