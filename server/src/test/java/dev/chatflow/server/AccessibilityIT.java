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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Both pages pass axe-core, on a phone and on a desktop, in light and in dark. */
@EnabledIf(
    value = "dev.chatflow.server.Browser#isInstalled",
    disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
class AccessibilityIT {

  private static final List<Integer> WIDTHS = List.of(390, 1_280);
  private static final List<String> SCHEMES = List.of("light", "dark");
  private static final int HEIGHT = 844;

  /** Each violation with the elements that have it. */
  private static final String VIOLATIONS =
      """
      axe.run().then((result) => result.violations.map(
        (found) => found.id + ': ' + found.nodes.map((node) => node.target.join(' ')).join(', ')))\
      """;

  @Test
  void pagesHaveNoViolation() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one");
        Browser browser = Browser.start()) {
      Tab chat = browser.open(URI.create("http://127.0.0.1:" + server.port() + "/rooms/lobby"));
      chat.await("document.activeElement.id === 'username'");
      assertNoViolation(chat, "the chat page before the JOIN");
      chat.evaluate("document.getElementById('username').focus()");
      chat.type("alice");
      chat.press("Enter");
      chat.await("document.body.dataset.state === 'here'");
      chat.type("A text with a link: https://example.com/");
      chat.press("Enter");
      chat.await("document.querySelectorAll('.messages .text').length === 1");
      assertNoViolation(chat, "the chat page in a room");
      Tab operations = browser.open(server.admin("/"));
      operations.await("document.querySelectorAll('polyline').length === 4");
      assertNoViolation(operations, "the operations page");
    }
  }

  private static void assertNoViolation(Tab tab, String page) throws IOException {
    load(tab);
    for (int width : WIDTHS) {
      for (String scheme : SCHEMES) {
        tab.size(width, HEIGHT, width == WIDTHS.getFirst());
        tab.scheme(scheme);
        tab.await("innerWidth === " + width);
        assertThat(tab.evaluate(VIOLATIONS).getAsJsonArray().asList())
            .as("%s, %d px, %s", page, width, scheme)
            .isEmpty();
      }
    }
  }

  private static void load(Tab tab) throws IOException {
    try (InputStream axe = AccessibilityIT.class.getResourceAsStream("/axe.min.js")) {
      byte[] script = Objects.requireNonNull(axe, "axe.min.js").readAllBytes();
      JsonElement _ = tab.evaluate(new String(script, StandardCharsets.UTF_8) + ";true");
    }
  }
}
