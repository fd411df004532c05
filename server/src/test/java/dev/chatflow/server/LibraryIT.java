package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.sun.net.httpserver.HttpServer;
import dev.chatflow.broker.testing.EmbeddedTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.server.Browser.Tab;
import dev.chatflow.server.launch.LaunchedWar;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JavaScript library in a real browser, on a page of another origin than the servers'. Its own
 * tests in {@code src/test/js} use a fake clock.
 */
@EnabledIf(
    value = "dev.chatflow.server.Browser#isInstalled",
    disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
class LibraryIT {

  private static final Path EXAMPLE = Path.of("../docs/examples/other-origin.html");
  private static final String NAMED_THERE = "http://localhost:8080";
  private static final int MEMBERS = 4;
  private static final int TEXTS = 20;
  private static final int ROOMS_OF_A_PAGE = 20;

  /**
   * Maximum connections of the rooms of one page; unshared there would be one per room. A busy
   * browser opens some before it knows the protocol of the first: up to three were observed.
   * Connections that it opens and does not use are not counted, although their handshake, and the
   * balancer's close, may fall into a measurement: neither has as many bytes as one room's
   * messages.
   */
  private static final int MOST_CONNECTIONS = ROOMS_OF_A_PAGE / 4;

  private static final int TEXTS_OF_A_TALK = 8;
  private static final int TEXT_LENGTH = 500;

  private static final AtomicInteger ROOMS = new AtomicInteger();

  @SuppressWarnings("NullAway.Init")
  private static Browser browser;

  @SuppressWarnings("NullAway.Init")
  private static HttpServer elsewhere;

  private static volatile String shown = "";

  private final String room = "library-" + ROOMS.incrementAndGet();

  @BeforeAll
  static void start() throws IOException {
    browser = Browser.start();
    elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    elsewhere.createContext(
        "/",
        exchange -> {
          byte[] page = shown.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html;charset=UTF-8");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    elsewhere.start();
  }

  @AfterAll
  static void stop() throws IOException {
    browser.close();
    elsewhere.stop(0);
  }

  private static String origin() {
    return "http://127.0.0.1:" + elsewhere.getAddress().getPort();
  }

  private static TestServer server(TestBroker broker, String id) throws Exception {
    return TestServer.start(broker.uri(), id, Map.of("CHATFLOW_ORIGINS", origin()));
  }

  @EmbeddedTest
  void exampleIsARoomOnAPageOfAnotherOrigin(TestBroker broker) throws Exception {
    try (TestServer server = server(broker, "one");
        ChatClient other = ChatClient.joined(server.chat("lobby"), 7)) {
      shown = Files.readString(EXAMPLE).replace(NAMED_THERE, "http://127.0.0.1:" + server.port());
      Tab tab = browser.open(URI.create(origin()));
      tab.await("document.title === 'here'");
      other.send("TEXT", "hello");
      tab.await("document.querySelector('li:last-child')?.textContent === 'user7: hello'");
      tab.evaluate("document.querySelector('input').focus()");
      tab.type("hello yourself");
      tab.press("Enter");
      tab.await(
          "document.querySelector('li:last-child').textContent === 'visitor: hello yourself'");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  /** Of three texts the first reload showed one and the second none. */
  @EmbeddedTest
  void everyReloadShowsTheRecentPast(TestBroker broker) throws Exception {
    try (TestServer server = server(broker, "one");
        ChatClient other = ChatClient.joined(server.chat(room), 7)) {
      shown =
          Files.readString(EXAMPLE)
              .replace(NAMED_THERE, "http://127.0.0.1:" + server.port())
              .replace("String(1 + Math.floor(Math.random() * 100_000))", "'17'")
              .replace("'lobby'", "'" + room + "'");
      Tab tab = browser.open(URI.create(origin()));
      tab.await("document.title === 'here'");
      List<String> said = List.of("user7: one", "user7: two", "user7: three");
      said.forEach(text -> other.send("TEXT", text.substring("user7: ".length())));
      tab.await("document.querySelectorAll('li').length === 3");
      for (int reload = 1; reload <= 3; reload++) {
        tab.evaluate("window.before = true; setTimeout(() => location.reload())");
        tab.await("window.before === undefined && document.title === 'here'");
        tab.await("document.querySelectorAll('li').length === 3");
        assertThat(tab.texts("li")).as("reload " + reload).isEqualTo(said);
      }
    }
  }

  /** Each member sees exactly the room's texts, in order, however often the connection is lost. */
  @EmbeddedTest
  void nothingIsLostOrRepeatedThroughCutsFreezesADrainAndABrokerOutage(TestBroker broker)
      throws Exception {
    try (TestServer second = server(broker, "two");
        TcpProxy way = TcpProxy.to()) {
      Tab tab;
      try (TestServer first = server(broker, "one")) {
        way.alsoTo(first.port());
        tab = members(way.port(), second.port());
        talk(tab);
        way.cut();
        talk(tab);
        tab.await("away().length > 0");
        way.restore();
        settle(tab);
        way.freeze();
        tab.evaluate("window.dispatchEvent(new Event('online'))");
        talk(tab);
        tab.await("away().length > 0");
        way.restore();
        settle(tab);
        broker.goAway();
        talk(tab);
        broker.comeBack();
        settle(tab);
        way.alsoTo(second.port());
        talk(tab);
      }
      settle(tab);
      talk(tab);
      settle(tab);
      judge(tab, second, 6);
    }
  }

  /** Faults that only processes can have. */
  @EmbeddedTest
  void nothingIsLostOrTwiceThroughAServerThatIsFrozenThenKilled(
      TestBroker broker, @TempDir Path temporary) throws Exception {
    Map<String, String> settings =
        Map.of(
            "CHATFLOW_AMQP_URI",
            broker.uri().toString(),
            "CHATFLOW_SERVER_ID",
            "one",
            "CHATFLOW_ORIGINS",
            origin());
    try (TestServer second = server(broker, "two");
        LaunchedWar first = LaunchedWar.start(temporary, settings, "--port=0", "--admin-port=0");
        TcpProxy way = TcpProxy.to()) {
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(first::isReady);
      int port = URI.create(first.url(1, "page").orElseThrow()).getPort();
      way.alsoTo(port);
      Tab tab = members(way.port(), second.port());
      talk(tab);
      first.signal("STOP");
      way.onlyTo(second.port());
      talk(tab);
      tab.evaluate("window.dispatchEvent(new Event('online'))");
      settle(tab);
      first.signal("CONT");
      talk(tab);
      settle(tab);
      way.onlyTo(port);
      way.cut();
      way.restore();
      tab.await("away().length === 0 && members[0].room.state.server === 'one'");
      talk(tab);
      first.kill();
      way.onlyTo(second.port());
      talk(tab);
      settle(tab);
      judge(tab, second, 5);
    }
  }

  private void judge(Tab tab, TestServer server, int talks) throws IOException {
    List<String> order = RoomOrder.texts(server, room);
    assertThat(order).hasSize(talks * MEMBERS * TEXTS).doesNotHaveDuplicates();
    for (JsonElement member : tab.evaluate("members.map((m) => m.seen)").getAsJsonArray()) {
      assertThat(strings(member.getAsJsonArray())).isEqualTo(order);
    }
    assertThat(tab.evaluate("members.flatMap((m) => m.trouble)").getAsJsonArray()).isEmpty();
    assertThat(tab.evaluate("members.reduce((sum, m) => sum + m.back, 0)").getAsInt())
        .isGreaterThanOrEqualTo(3);
    tab.await(
        "members.every(({ room: { people } }) => people.count === %d && people.names.size === %d)"
            .formatted(MEMBERS, MEMBERS));
  }

  @EmbeddedTest
  @EnabledIf(
      value = "dev.chatflow.server.HaProxy#isInstalled",
      disabledReason = "no HAProxy in the path")
  void roomsOfOnePageShareAConnectionWhereTheBalancerSpeaksHttp2(
      TestBroker broker, @TempDir Path folder) throws Exception {
    try (TestServer server =
            TestServer.start(broker.uri(), "one", Map.of("CHATFLOW_TRUSTED_PROXIES", "127.0.0.1"));
        HaProxy balancer = HaProxy.before(server, folder);
        TcpProxy way = TcpProxy.to(balancer.port())) {
      Tab tab = browser.open(URI.create("https://127.0.0.1:" + way.port()));
      tab.evaluate(
          """
          import('/lib/chatflow.js').then(({ ChatFlow }) => {
            const user = { id: '17', name: 'visitor' };
            window.chat = new ChatFlow(location.origin, { user, store: null });
            window.rooms = Array.from({ length: %d }, (_, i) => chat.room(`%s-${i}`));
            rooms.forEach((room) => room.enter());
          })\
          """
              .formatted(ROOMS_OF_A_PAGE, room));
      tab.await("rooms.every(({ state }) => state.name === 'here')");
      assertThat(speaking(way, tab)).isBetween(1, MOST_CONNECTIONS);
      way.cut();
      way.restore();
      tab.await("rooms.every(({ state }) => state.name === 'here')");
      assertThat(speaking(way, tab)).as("after they have come back").isBetween(1, MOST_CONNECTIONS);
      tab.evaluate("chat.close()");
    }
  }

  /** Returns the number of connections that rooms receive on. */
  private static int speaking(TcpProxy way, Tab tab) {
    return way.speakingWhile(() -> sayInAll(tab), TEXTS_OF_A_TALK * TEXT_LENGTH);
  }

  private static void sayInAll(Tab tab) {
    assertThat(
            tab.evaluate(
                    """
                    Promise.all(rooms.flatMap((room) =>
                      Array.from({ length: %d }, () => room.send('x'.repeat(%d)))
                    )).then((all) => all.length)\
                    """
                        .formatted(TEXTS_OF_A_TALK, TEXT_LENGTH))
                .getAsInt())
        .isEqualTo(TEXTS_OF_A_TALK * ROOMS_OF_A_PAGE);
  }

  /** Opens rooms, half of them through the first port, which has the faults. */
  private Tab members(int port, int otherPort) {
    shown = "<!doctype html><title>members</title>";
    Tab tab = browser.open(URI.create(origin()));
    tab.evaluate(
        """
        import('http://127.0.0.1:%d/lib/chatflow.js').then(({ ChatFlow }) => {
          window.members = Array.from({ length: %d }, (_, i) => {
            const member = { seen: [], trouble: [], back: 0, sent: 0 };
            const address = `http://127.0.0.1:${i %% 2 === 0 ? %d : %d}`;
            const user = { id: `${i + 1}`, name: `member${i + 1}` };
            member.room = new ChatFlow(address, { user, store: null }).room('%s', { history: 0 });
            member.room.on('message', ({ text }) => member.seen.push(text));
            member.room.on('refused', ({ text, error }) => member.trouble.push(`${text} ${error.code}`));
            member.room.on('gap', () => member.trouble.push('gap'));
            member.room.on('back', () => (member.back += 1));
            member.room.enter();
            return member;
          });
          window.away = () => members.filter(({ room }) => room.state.name !== 'here');
        })\
        """
            .formatted(otherPort, MEMBERS, port, otherPort, room));
    tab.await("away().length === 0");
    return tab;
  }

  private static void talk(Tab tab) {
    tab.evaluate(
        """
        members.forEach((member, i) => {
          for (let n = 0; n < %d; n++) {
            member.room.send(`${i}-${member.sent++}`);
          }
        })\
        """
            .formatted(TEXTS));
  }

  private static void settle(Tab tab) {
    Awaitility.await("all has come back")
        .atMost(Duration.ofMinutes(2))
        .until(() ->
            tab.evaluate(
                    "away().length === 0 && members.every((m) => m.room.pending.length === 0"
                        + " && m.seen.length === members.reduce((sum, { sent }) => sum + sent, 0))")
                .getAsBoolean());
  }

  private static List<String> strings(JsonArray texts) {
    return texts.asList().stream().map(JsonElement::getAsString).toList();
  }
}
