package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.broker.testing.EmbeddedTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.identity.Issuer;
import dev.chatflow.server.Browser.Tab;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the operations page of real servers in a real browser. */
@EnabledIf(
    value = "dev.chatflow.server.Browser#isInstalled",
    disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
class OperationsPageIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Issuer ISSUER = Issuer.hs256("0123456789abcdef0123456789abcdef");
  private static final String SHOWN = "!document.querySelector('main').hidden";

  /** To copy to the documentation when the page has changed. */
  private static final Path PICTURE = Path.of("target", "operations.png");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Browser browser;

  @BeforeAll
  static void startBrowser() throws IOException {
    browser = Browser.start();
  }

  @AfterAll
  static void stopBrowser() throws IOException {
    browser.close();
  }

  private static Tab open(TestServer server) {
    Tab tab = browser.open(server.admin("/"));
    tab.await(SHOWN);
    return tab;
  }

  private static String text(String id) {
    return "document.getElementById('" + id + "').textContent";
  }

  private static void awaitText(Tab tab, String id, String part) {
    tab.await(text(id) + ".includes(" + new JsonPrimitive(part) + ")");
  }

  private static void click(Tab tab, String id) {
    tab.evaluate("document.getElementById('" + id + "').click()");
  }

  private static void answerYes(Tab tab, String question) {
    tab.await("document.getElementById('ask').open");
    awaitText(tab, "question", question);
    assertThat(tab.evaluate("document.activeElement.id").getAsString()).isEqualTo("no");
    click(tab, "yes");
  }

  private static List<ChatClient> crowd(TestServer server, String room, int first, int many) {
    return IntStream.range(first, first + many)
        .mapToObj(user -> ChatClient.joined(server.chat(room), user))
        .toList();
  }

  private static JsonObject overview(TestServer server) throws IOException {
    return JsonParser.parseString(server.admin("GET", "/overview").body()).getAsJsonObject();
  }

  @Test
  void pageShowsItsServerAndActionsAreConfirmedAndReported() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one")) {
      List<ChatClient> crowd = crowd(server, "lobby", 1, 3);
      crowd.getFirst().send("TEXT", "hello");
      crowd.getFirst().sendRaw("nonsense");
      Tab tab = open(server);
      assertThat(tab.texts("#server, #state")).containsExactly("one", "UP");
      awaitText(tab, "rooms", "lobby3");
      awaitText(tab, "trouble", "message rejected: MALFORMED_JSON");
      awaitText(tab, "broker", "circuitCLOSED");
      awaitText(tab, "alerts-hint", "No active alerts (12 of ");
      assertThat(tab.texts("#hops th"))
          .containsExactly("accept", "lane", "confirm", "broker", "append", "write");
      assertThat(tab.texts("#lanes th")).hasSize(4);
      tab.await("document.querySelectorAll('polyline').length === 4");
      awaitText(tab, "others-title", "Other servers");

      tab.evaluate("document.getElementById('user').focus()");
      tab.type("2");
      tab.press("Enter");
      tab.await("document.getElementById('ask').open");
      tab.press("Escape");
      tab.await("!document.getElementById('ask').open");
      assertThat(tab.evaluate(text("outcome")).getAsString()).as("Escape means no").isEmpty();
      tab.evaluate("document.getElementById('close').requestSubmit()");
      answerYes(tab, "user 2 on this server?");
      awaitText(tab, "outcome", "Closed 1 connection of user 2.");
      assertThat(crowd.get(1).awaitClosed().code()).isEqualTo(4001);

      tab.evaluate(
          "{ const e = document.getElementById('level'); e.value = 'DEBUG';"
              + " e.dispatchEvent(new Event('change')) }");
      awaitText(tab, "outcome", "Log level set to DEBUG until restart.");
      assertThat(server.admin("POST", "/log/INFO").body()).contains("INFO");

      click(tab, "drain");
      answerYes(tab, "Drain this server?");
      awaitText(tab, "outcome", "Drained: all clients were asked to reconnect to another server.");
      awaitText(tab, "banner", "Drained. Restart the server to accept connections again.");
      tab.await("document.getElementById('drain').disabled");
      assertThat(crowd.getFirst().awaitClosed().code()).isEqualTo(1001);
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void otherServersAreListedWithTheirOwnFigures(TestBroker broker) throws Exception {
    String room = "operations-2";
    try (TestServer one = TestServer.start(broker.uri(), "one");
        TestServer two = TestServer.start(broker.uri(), "two")) {
      List<ChatClient> here = crowd(one, room, 1, 2);
      List<ChatClient> there = crowd(two, room, 11, 3);
      Tab tab = open(one);
      tab.await(
          "[...document.querySelectorAll('#others tr')]"
              + ".some((e) => /^two31\\d+\\d+ ms\\S+now$/.test(e.textContent))");
      JsonObject other = overview(one).getAsJsonArray("others").get(0).getAsJsonObject();
      assertThat(other.get("serverId").getAsString()).isEqualTo("two");
      assertThat(other.get("agoMillis").getAsLong()).isBetween(0L, 30_000L);
      assertThat(other.get("version").getAsString())
          .isEqualTo(
              JsonParser.parseString(one.admin("GET", "/health").body())
                  .getAsJsonObject()
                  .get("version")
                  .getAsString());
      assertThat(overview(two).getAsJsonArray("others").asList())
          .as("a server does not list itself")
          .extracting(JsonElement::getAsJsonObject)
          .extracting(each -> each.get("serverId").getAsString())
          .containsExactly("one");
      here.forEach(ChatClient::close);
      there.forEach(ChatClient::close);
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void lostServerIsReportedAndReconnectedTo() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      TestServer server = TestServer.start(broker.uri(), "one");
      URI page = server.admin("/");
      Tab tab = open(server);
      server.close();
      tab.await("document.body.dataset.state === 'gone'");
      awaitText(tab, "banner", "No answer; showing data from ");
      Map<String, String> samePort = Map.of("CHATFLOW_ADMIN_PORT", "" + page.getPort());
      try (TestServer _ = TestServer.start(broker.uri(), "one", samePort)) {
        tab.await("document.body.dataset.state === 'UP'");
        tab.await("document.getElementById('banner').hidden");
      }
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void lostBrokerIsAnAlertWithTheTextOfTheRunbook(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab tab = open(server);
      broker.goAway();
      tab.await("document.querySelector('#alerts [data-name=BrokerAway].page') !== null");
      tab.evaluate("document.querySelector('#alerts [data-name=BrokerAway] summary').focus()");
      tab.press("Enter");
      tab.await("document.querySelector('#alerts [data-name=BrokerAway]').open");
      String alert =
          Files.readString(Path.of("..", "docs", "how-to", "runbook.md"))
              .split("### BrokerAway ", 2)[1];
      String words = alert.split("\\*\\*Do:\\*\\* ", 2)[1].lines().findFirst().orElseThrow();
      awaitText(tab, "alerts", words);
      awaitText(tab, "banner", "Not ready: ");
      awaitText(tab, "curves", "log lag, mean ms\u2013"); // no data, which differs from 0
      assertThat(tab.evaluate("document.querySelector('#alerts a').href").getAsString())
          .contains("/runbook.md#:~:text=");
      broker.comeBack();
      tab.await("document.body.dataset.state === 'UP'");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void serverWithTokensRequiresAServiceTokenOnThePage() throws Exception {
    Path keys = ISSUER.writeKey(folder.resolve("keys"));
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server =
            TestServer.start(broker.uri(), "one", Map.of("CHATFLOW_TOKEN_KEYS", keys.toString()))) {
      Tab tab = browser.open(server.admin("/"));
      tab.await("!document.getElementById('door').hidden");
      tab.await("document.activeElement.id === 'token'");
      tab.type(ISSUER.token("17", HOUR, "*"));
      tab.press("Enter");
      awaitText(tab, "refusal", "use a token with sub * and rooms *");
      assertThat(tab.evaluate(SHOWN).getAsBoolean()).isFalse();
      tab.type(ISSUER.token("*", HOUR, "*"));
      tab.press("Enter");
      tab.await(SHOWN);
      assertThat(tab.evaluate("localStorage.length + location.search.length").getAsInt()).isZero();

      Tab linked = browser.open(server.admin("/#token=" + ISSUER.token("*", HOUR, "*")));
      linked.await(SHOWN);
      assertThat(linked.evaluate("location.href").getAsString())
          .isEqualTo(server.admin("/").toString());
      click(linked, "drain");
      answerYes(linked, "Drain");
      awaitText(linked, "outcome", "Drained: ");

      String own = server.admin("").toString();
      HttpResponse<String> without = server.admin("POST", "/users/17/close", "Origin", own);
      assertThat(without.statusCode()).isEqualTo(401);
      assertThat(server.admin("POST", "/users/17/close").statusCode())
          .as("a local program")
          .isEqualTo(200);
      assertThat(server.admin("GET", "/overview").statusCode()).isEqualTo(401);
      assertThat(server.admin("POST", "/drain", "Origin", "https://evil.test").statusCode())
          .isEqualTo(403);
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "phone, 390, 844, true",
    "small phone, 320, 568, true",
    "desktop, 1280, 800, false",
    "wide, 1920, 1080, false"
  })
  void everythingFitsAndCanBeReadAndReachedByKeyboard(
      String name, int width, int height, boolean isPhone) throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one")) {
      List<ChatClient> crowd = crowd(server, "x".repeat(64), 1, 2);
      Tab tab = open(server);
      tab.size(width, height, isPhone);
      tab.await("innerWidth === " + width);
      awaitText(tab, "rooms", "xxx");
      assertThat(tab.evaluate("document.documentElement.scrollWidth").getAsInt())
          .isLessThanOrEqualTo(width);
      for (String scheme : List.of("light", "dark")) {
        tab.scheme(scheme);
        tab.await("matchMedia('(prefers-color-scheme: " + scheme + ")').matches");
        assertThat(tab.evaluate(PageSizesIT.FAINT).getAsJsonArray()).as(scheme).isEmpty();
      }
      assertThat(tab.evaluate(UNREACHABLE).getAsJsonArray())
          .as("scrolling elements out of reach")
          .isEmpty();
      assertThat(tab.texts("section[tabindex]").isEmpty())
          .as("nothing scrolls")
          .isEqualTo(!isPhone);
      List<String> reached = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        tab.press("Tab");
        reached.add(
            tab.evaluate("document.activeElement.id || document.activeElement.textContent")
                .getAsString());
      }
      assertThat(reached).contains("user", "Close connections", "level", "drain");
      crowd.forEach(ChatClient::close);
      assertThat(browser.complaints()).isEmpty();
    }
  }

  /** Scrolling elements that the keyboard cannot reach, or that are no named regions. */
  private static final String UNREACHABLE =
      """
      [...document.querySelectorAll('body *')]
        .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth)
        .filter((e) => ['auto', 'scroll'].includes(getComputedStyle(e).overflowX))
        .filter((e) => !e.matches('section[tabindex="0"]:is([aria-label], [aria-labelledby])'))
        .map((e) => e.outerHTML.slice(0, 80))\
      """;

  /** Draws docs/operations.png as {@link #PICTURE}. */
  @Tag("long") // the picture of the documents
  @Test
  void pictureOfABusyServer() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer one = TestServer.start(broker.uri(), "server-1");
        TestServer two = TestServer.start(broker.uri(), "server-2")) {
      List<ChatClient> here = new ArrayList<>(crowd(one, "lobby", 1, 12));
      here.addAll(crowd(one, "support", 21, 5));
      List<ChatClient> there = crowd(two, "lobby", 31, 7);
      Tab tab = open(one);
      tab.size(1280, 800, false);
      tab.scheme("light");
      for (int round = 1; round <= 12; round++) {
        for (int i = 0; i < 20 * (round % 4 + 1); i++) {
          here.get(i % here.size()).send("TEXT", "hello " + i);
        }
        here.getLast().sendRaw(here.getFirst().frame("TEXT", "as another user"));
        here.getFirst().sendRaw("nonsense");
        int points = round;
        await()
            .atMost(PATIENCE)
            .until(() ->
                tab.evaluate(
                            "document.querySelector('polyline').getAttribute('points').split(' ').length")
                        .getAsInt()
                    > points);
      }
      awaitText(tab, "others", "server-2");
      int height = tab.evaluate("document.documentElement.scrollHeight").getAsInt();
      tab.size(1280, height, false);
      tab.await("innerHeight === " + height);
      byte[] picture = tab.picture();
      assertThat(picture.length).isGreaterThan(20_000);
      Files.write(PICTURE, picture);
      here.forEach(ChatClient::close);
      there.forEach(ChatClient::close);
    }
  }
}
