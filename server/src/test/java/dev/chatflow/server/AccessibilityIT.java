package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.server.Browser.Tab;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both pages pass axe-core, on a phone and on a desktop, in light and in dark. */
@EnabledIf(
    value = "dev.chatflow.server.Browser#isInstalled",
    disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
class AccessibilityIT {

  private static final int HEIGHT = 844;

  /** Each violation with the elements that have it. */
  private static final String VIOLATIONS =
      """
      axe.run().then((result) => result.violations.map(
        (found) => found.id + ': ' + found.nodes.map((node) => node.target.join(' ')).join(', ')))\
      """;

  @SuppressWarnings("NullAway.Init")
  private static EmbeddedBroker broker;

  @SuppressWarnings("NullAway.Init")
  private static TestServer server;

  @SuppressWarnings("NullAway.Init")
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedBroker.start();
    server = TestServer.start(broker.uri(), "one");
    browser = Browser.start();
  }

  @AfterAll
  static void end() throws IOException, LifecycleException {
    browser.close();
    server.close();
    broker.close();
  }

  @ParameterizedTest(name = "{0} px, {1}")
  @CsvSource({"390, light", "390, dark", "1280, light", "1280, dark"})
  void chatPageHasNoViolation(int width, String scheme) throws Exception {
    Tab tab = browser.open(URI.create("http://127.0.0.1:" + server.port() + "/rooms/lobby"));
    tab.await("document.activeElement.id === 'username'");
    show(tab, width, scheme);
    assertThat(violations(tab)).as("before the JOIN").isEmpty();
    tab.type("alice");
    tab.press("Enter");
    tab.await("document.body.dataset.state === 'here'");
    tab.type("A text with a link: https://example.com/");
    tab.press("Enter");
    tab.await("document.querySelectorAll('.messages .text').length >= 1");
    assertThat(violations(tab)).as("in a room").isEmpty();
  }

  @ParameterizedTest(name = "{0} px, {1}")
  @CsvSource({"390, light", "390, dark", "1280, light", "1280, dark"})
  void operationsPageHasNoViolation(int width, String scheme) throws Exception {
    Tab tab = browser.open(server.admin("/"));
    tab.await("document.querySelectorAll('polyline').length === 4");
    show(tab, width, scheme);
    assertThat(violations(tab)).isEmpty();
  }

  private static void show(Tab tab, int width, String scheme) {
    tab.size(width, HEIGHT, width < 500);
    tab.scheme(scheme);
    tab.await("innerWidth === " + width);
  }

  private static List<String> violations(Tab tab) throws IOException {
    try (InputStream axe = AccessibilityIT.class.getResourceAsStream("/axe.min.js")) {
      byte[] script = Objects.requireNonNull(axe, "axe.min.js").readAllBytes();
      JsonElement _ = tab.evaluate(new String(script, StandardCharsets.UTF_8) + ";true");
    }
    return tab.evaluate(VIOLATIONS).getAsJsonArray().asList().stream()
        .map(JsonElement::getAsString)
        .toList();
  }
}
