package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.broker.testing.EmbeddedTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.identity.Issuer;
import dev.chatflow.room.CloseReason;
import dev.chatflow.server.Browser.Tab;
import dev.chatflow.support.Answer;
import dev.chatflow.support.HttpListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Tests the chat page in a real browser. */
@EnabledIf(
    value = "dev.chatflow.server.Browser#isInstalled",
    disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
class PageChatIT {

  private static final String ONLINE = "document.body.dataset.state === 'here'";
  private static final String PENDING = ".conversation:not([hidden]) .pending .body";
  private static final String SHOWN = ".conversation:not([hidden]) .messages .text .body";
  private static final String MISSED = ".messages .missed .body";
  private static final String EVENTS = ".conversation:not([hidden]) .event";
  private static final String TYPING = ".conversation:not([hidden]) .typing";

  /** All close codes of the protocol. */
  private static final List<Integer> CLOSE_CODES =
      List.of(
          1000, 1001, 1002, 1003, 1007, 1008, 1009, 1012, 1013, 4001, 4002, 4003, 4005, 4008, 4009,
          4010);

  /** Close codes after which a client reconnects. */
  private static final Set<Integer> RECONNECT = Set.of(1001, 1012, 1013, 4002, 4003, 4008, 4010);

  /** To copy to the documentation when the page has changed. */
  private static final Path PICTURE = Path.of("target", "page.png");

  private static final AtomicInteger ROOMS = new AtomicInteger();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Browser browser;

  /** A room for each test, because new members see earlier messages. */
  private final String room = "page-" + ROOMS.incrementAndGet();

  @BeforeAll
  static void startBrowser() throws IOException {
    browser = Browser.start();
  }

  @AfterAll
  static void stopBrowser() throws IOException {
    browser.close();
  }

  @EmbeddedTest
  void twoPeopleChatWithOnlyTheKeyboardAndSeeEachOtherJoinAndLeave(TestBroker broker)
      throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab alice = entered(server, room, "alice");
      Tab bob = entered(server, room, "bob");
      awaitTexts(alice, "#members li", List.of(member(alice, "alice (you)"), member(bob, "bob")));
      awaitTexts(bob, "#members li", List.of(member(alice, "alice"), member(bob, "bob (you)")));
      write(alice, "hello bob");
      awaitTexts(bob, SHOWN, List.of("hello bob"));
      write(bob, "<img src=x onerror=alert(1)> & \"hi\"");
      awaitTexts(alice, SHOWN, List.of("hello bob", "<img src=x onerror=alert(1)> & \"hi\""));
      assertThat(alice.evaluate("document.querySelectorAll('img').length").getAsInt()).isZero();
      bob.evaluate("document.getElementById('leave').click()");
      awaitTexts(alice, "#members li", List.of(member(alice, "alice (you)")));
      awaitEvent(alice, "bob left");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void personWhoIsTypingIsNamedUntilTheMessageArrives(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab alice = entered(server, room, "alice");
      Tab bob = entered(server, room, "bob");
      alice.type("hel");
      awaitTexts(bob, TYPING, List.of("alice is typing\u2026"));
      alice.type("lo");
      alice.press("Enter");
      awaitTexts(bob, SHOWN, List.of("hello"));
      awaitTexts(bob, TYPING, List.of(""));
      assertThat(alice.texts(TYPING)).containsExactly("");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void messagesAreAnsweredReactedToEditedAndDeleted(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab alice = entered(server, room, "alice");
      Tab bob = entered(server, room, "bob");
      write(alice, "helo bob");
      awaitTexts(bob, SHOWN, List.of("helo bob"));
      act(bob, "reply");
      write(bob, "hi");
      awaitTexts(alice, ".quote", List.of("alice: helo bob"));
      act(bob, "react");
      awaitTexts(alice, ".reactions", List.of("👍 1"));
      act(alice, "edit");
      alice.evaluate("document.getElementById('text').value = ''");
      write(alice, "hello bob");
      awaitTexts(bob, SHOWN, List.of("hello bob", "hi"));
      awaitTexts(bob, ".quote", List.of("alice: hello bob"));
      Tab carol = entered(server, room, "carol");
      awaitTexts(carol, SHOWN, List.of("hello bob", "hi"));
      awaitTexts(carol, ".reactions", List.of("👍 1"));
      act(alice, "delete");
      awaitTexts(carol, SHOWN, List.of("This message was deleted.", "hi"));
      awaitTexts(carol, ".quote", List.of("alice: deleted message"));
      assertThat(
              bob.evaluate("document.querySelector('.deleted .act').offsetParent === null")
                  .getAsBoolean())
          .isTrue();
      assertThat(browser.complaints()).isEmpty();
    }
  }

  /**
   * The text of a message that was not edited after all would have been sent again as a new one.
   */
  @EmbeddedTest
  void textOfACancelledEditIsRemovedAndAReactionKeepsAReply(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab alice = entered(server, room, "alice");
      write(alice, "hello");
      awaitTexts(alice, SHOWN, List.of("hello"));
      act(alice, "edit");
      String input = "document.getElementById('text').value";
      assertThat(alice.evaluate(input).getAsString()).isEqualTo("hello");
      alice.evaluate("document.getElementById('stop-composing').click()");
      assertThat(alice.evaluate(input).getAsString()).isEmpty();
      act(alice, "reply");
      act(alice, "react");
      awaitTexts(alice, ".reactions", List.of("👍 1"));
      write(alice, "a reply");
      awaitTexts(alice, ".quote", List.of("alice: hello"));
    }
  }

  /** Chooses from the menu of the first message. */
  private static void act(Tab tab, String what) {
    tab.evaluate(
        "document.querySelector('.messages .act').click(); document.getElementById('%s').click()"
            .formatted(what));
  }

  @EmbeddedTest
  void lostConnectionIsRestoredWithoutLossOrRepetition(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab alice = entered(server, room, "alice");
      Tab bob = entered(server, room, "bob");
      // In one statement, so that the connection is lost before the answers arrive.
      alice.evaluate(writeAll("one", "two") + " document.getElementById('cut').click()");
      alice.await(
          "document.getElementById('why').textContent.startsWith('You cut the connection')");
      write(alice, "three");
      awaitTexts(alice, PENDING, List.of("one", "two", "three"));
      alice.await(ONLINE);
      awaitTexts(alice, SHOWN, List.of("one", "two", "three"));
      awaitTexts(alice, PENDING, List.of());
      assertThat(alice.texts(MISSED)).as("found in the past").containsExactly("one", "two");
      assertThat(alice.texts(".messages .late")).as("not sent again").isEmpty();
      write(bob, "four");
      awaitTexts(alice, SHOWN, List.of("one", "two", "three", "four"));
      awaitTexts(bob, SHOWN, List.of("one", "two", "three", "four"));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void newMemberSeesEarlierMessagesAndOnlyPresentMembers(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab bob = entered(server, room, "bob");
      write(bob, "one");
      write(bob, "two");
      awaitTexts(bob, SHOWN, List.of("one", "two"));
      bob.evaluate("document.getElementById('leave').click()");
      bob.await("document.getElementById('entry').checkVisibility()");
      Tab alice = entered(server, room, "alice");
      awaitTexts(alice, ".messages .past .body", List.of("one", "two"));
      awaitTexts(alice, "#members li", List.of(member(alice, "alice (you)")));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void memberThatWasOfflineSeesMissedMessagesOnce(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab alice = entered(server, room, "alice");
      Tab bob = entered(server, room, "bob");
      write(bob, "before");
      awaitTexts(alice, SHOWN, List.of("before"));
      alice.evaluate("document.getElementById('cut').click()");
      bob.evaluate(writeAll("one", "two"));
      awaitTexts(alice, MISSED, List.of("one", "two"));
      awaitEvent(alice, "You were offline for [0-9]+ s and missed 2 messages:");
      write(bob, "after");
      awaitTexts(alice, SHOWN, List.of("before", "one", "two", "after"));
      assertThat(alice.texts(".messages .past .body")).isEmpty();
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void memberThatReconnectsToAnotherServerMissesNothing(TestBroker broker) throws Exception {
    try (TestServer second = TestServer.start(broker.uri(), "two");
        TcpProxy way = TcpProxy.to()) {
      Tab bob = entered(second, room, "bob");
      Tab alice;
      try (TestServer first = TestServer.start(broker.uri(), "one")) {
        way.alsoTo(first.port());
        alice = entered(URI.create("http://127.0.0.1:" + way.port() + "/rooms/" + room), "alice");
        write(bob, "before");
        awaitTexts(alice, SHOWN, List.of("before"));
        way.cut();
        alice.await("!(" + ONLINE + ")");
      }
      write(bob, "one");
      awaitTexts(bob, SHOWN, List.of("before", "one"));
      way.alsoTo(second.port());
      way.restore();
      alice.await("document.getElementById('state').title === 'Server: two'");
      awaitTexts(alice, MISSED, List.of("one"));
      awaitEvent(alice, "You were offline for [0-9]+ s and missed 1 message:");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void membersOnTwoServersSeeEachOtherAndALostBrokerLosesNothing(TestBroker broker)
      throws Exception {
    try (TestServer first = TestServer.start(broker.uri(), "one");
        TestServer second = TestServer.start(broker.uri(), "two")) {
      Tab alice = entered(first, room, "alice");
      Tab bob = entered(second, room, "bob");
      awaitTexts(alice, "#members li", List.of(member(alice, "alice (you)"), member(bob, "bob")));
      awaitTexts(bob, "#members li", List.of(member(alice, "alice"), member(bob, "bob (you)")));
      awaitTexts(bob, "#room-list .open", List.of(room + " 2 people"));
      write(alice, "before");
      awaitTexts(bob, SHOWN, List.of("before"));
      broker.goAway();
      try {
        write(alice, "during, by alice");
        write(bob, "during, by bob");
        awaitTexts(alice, PENDING, List.of("during, by alice"));
      } finally {
        broker.comeBack();
      }
      for (Tab tab : List.of(alice, bob)) {
        awaitSorted(tab, List.of("before", "during, by alice", "during, by bob"));
        awaitTexts(tab, PENDING, List.of());
      }
    }
  }

  @EmbeddedTest
  void tabsOfAPersonStayConnectedAndCountAsOnePerson(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab alice = entered(server, room, "alice");
      Tab bob = entered(server, room, "bob");
      Tab second = browser.open(page(server, room));
      second.evaluate("document.getElementById('userId').value = '" + number(alice) + "'");
      second.type("alice");
      second.press("Enter");
      second.await(ONLINE);
      write(second, "from the second tab");
      awaitTexts(alice, ".text.own .body", List.of("from the second tab"));
      awaitTexts(bob, "#members li", List.of(member(alice, "alice"), member(bob, "bob (you)")));
      second.evaluate("document.getElementById('leave').click()");
      second.await("document.body.dataset.state === 'left'");
      write(alice, "from the first tab");
      awaitTexts(bob, SHOWN, List.of("from the second tab", "from the first tab"));
      awaitTexts(bob, "#members li", List.of(member(alice, "alice"), member(bob, "bob (you)")));
      assertThat(bob.texts(EVENTS)).noneMatch(event -> event.contains("alice"));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void duplicatedTabStopsTheFirstOneUntilRequested(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab alice = entered(server, room, "alice");
      String stored = alice.evaluate("JSON.stringify(sessionStorage)").getAsString();
      Tab copy = browser.open(page(server, room));
      copy.evaluate("Object.assign(sessionStorage, " + stored + "); location.reload()");
      copy.await(ONLINE);
      alice.await("document.getElementById('why').textContent.includes('newer connection')");
      assertThat(alice.texts("#again")).containsExactly("Use here");
      alice.evaluate("document.getElementById('again').click()");
      alice.await(ONLINE);
      copy.await("document.getElementById('why').textContent.includes('newer connection')");
    }
  }

  @EmbeddedTest
  void pageWaitsForAServerThatStops(TestBroker broker) throws Exception {
    Tab alice;
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      alice = entered(server, room, "alice");
      write(alice, "the last");
      awaitTexts(alice, SHOWN, List.of("the last"));
    }
    alice.await("document.getElementById('why').textContent.startsWith('The connection was lost')");
    assertThat(alice.texts("#again")).containsExactly("Try now");
    assertThat(alice.texts("#state")).containsExactly("Not connected");
  }

  @EmbeddedTest
  void invalidInputIsReportedAtItsFieldByPageAndServer(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab tab = browser.open(page(server, room));
      tab.type("  ");
      tab.press("Enter");
      awaitTexts(tab, "#username:user-invalid + small", List.of("Up to 64 characters"));
      assertThat(focus(tab)).isEqualTo("username");
      // Sends a name that the page would reject, to show the server's rejection.
      tab.evaluate(
          "{ const send = WebSocket.prototype.send;"
              + " WebSocket.prototype.send = function (data) {"
              + " send.call(this, data.replace('alice', 'a\\u202eb')); }; }");
      tab.evaluate("document.getElementById('username').value = 'alice'");
      tab.press("Enter");
      tab.await("document.getElementById('notice').textContent.includes('VALIDATION_FAILED')");
      assertThat(
              tab.evaluate("document.getElementById('username').validationMessage").getAsString())
          .startsWith("must have 1 to 64 characters");
      assertThat(focus(tab)).isEqualTo("username");
    }
  }

  @EmbeddedTest
  void linkWithATokenSignsInItsUserAndLeavesTheAddress(TestBroker broker) throws Exception {
    Issuer issuer = Issuer.hs256("0123456789abcdef0123456789abcdef");
    Map<String, Object> claims = Issuer.claims("17", Duration.ofHours(1), room);
    claims.put("name", "alice");
    Path keys = issuer.writeKey(folder.resolve(room));
    try (TestServer server =
        TestServer.start(broker.uri(), "one", Map.of("CHATFLOW_TOKEN_KEYS", keys.toString()))) {
      Tab stranger = browser.open(page(server, room));
      stranger.await("document.activeElement.id === 'username'");
      stranger.type("mallory");
      stranger.press("Enter");
      stranger.await("document.getElementById('why').textContent.includes('a token is required')");
      Tab alice = browser.open(URI.create(page(server, room) + "#token=" + issuer.sign(claims)));
      alice.await("document.getElementById('userId').value === '17'");
      assertThat(alice.evaluate("location.hash").getAsString()).isEmpty();
      assertThat(alice.evaluate("document.getElementById('anybody').hidden").getAsBoolean())
          .isTrue();
      assertThat(focus(alice)).as("the token names the user").isEqualTo("room");
      alice.evaluate("document.getElementById('entry').requestSubmit()");
      alice.await(ONLINE);
      write(alice, "hello");
      awaitTexts(alice, SHOWN, List.of("hello"));

      Map<String, Object> moderator = Issuer.claims("9", Duration.ofHours(1), room);
      moderator.put("moderate", List.of(room));
      String[] rights = {"Authorization", "Bearer " + issuer.sign(moderator)};
      String mute = "/api/rooms/" + room + "/mutes/17";
      assertThat(server.put(mute, "{\"seconds\":600}", rights).statusCode()).isEqualTo(200);
      awaitEvent(alice, "You may not write until .+");
      write(alice, "again");
      awaitTexts(alice, ".refused .body", List.of("again"));
      assertThat(server.delete(mute, rights).statusCode()).isEqualTo(200);
      awaitEvent(alice, "You may write again");
    }
  }

  @EmbeddedTest
  void pageStatesThatAServerHasNoSignIn(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab tab = browser.open(page(server, room));
      tab.await("!document.getElementById('anybody').hidden");
      assertThat(tab.evaluate("document.getElementById('write').checkVisibility()").getAsBoolean())
          .as("no room is open yet")
          .isFalse();
    }
  }

  @EmbeddedTest
  void pageReconnectsAfterTheCloseCodesOfTheProtocol(TestBroker broker) throws Exception {
    assertThat(CLOSE_CODES)
        .containsAll(Stream.of(CloseReason.values()).map(CloseReason::code).toList());
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab tab = browser.open(page(server, room));
      for (int code : CLOSE_CODES) {
        assertThat(afterClose(tab, code, "").get("again").getAsBoolean())
            .as("after close code %d", code)
            .isEqualTo(RECONNECT.contains(code));
      }
      assertThat(delay(tab, 1001, "reconnect after 4321 ms")).isEqualTo(4321);
      assertThat(delay(tab, 1001, "reconnect after 0 ms")).isZero();
      assertThat(delay(tab, 1012, "reconnect after 4321 ms")).isEqualTo(4321);
      assertThat(delay(tab, 1001, "")).isBetween(250, 500);
      assertThat(delay(tab, 1006, "")).isBetween(250, 500);
      assertThat(delay(tab, 1013, "")).isBetween(1_000, 2_000);
    }
  }

  @EmbeddedTest
  void pageWorksUnderAnyContextPathAndFollowsTheOneOfTheEndpoint(TestBroker broker)
      throws Exception {
    try (TestServer server = TestServer.startUnder("/team/rooms", broker.uri(), "one");
        ChatClient other = ChatClient.joined(server.chat("Lobby"), 7)) {
      Tab alice = browser.open(page(server, ""));
      awaitTexts(alice, "#room-list button", List.of("Lobby 1 person"));
      alice.evaluate("document.querySelector('#room-list button').click()");
      alice.type("alice");
      alice.press("Enter");
      alice.await(ONLINE);
      awaitTexts(alice, "#members li", List.of(member(alice, "alice (you)"), "user7 #7"));
      assertThat(alice.evaluate("location.pathname").getAsString())
          .isEqualTo("/team/rooms/rooms/Lobby");
      other.send("TEXT", "hello");
      awaitTexts(alice, SHOWN, List.of("hello"));
    }
  }

  @EmbeddedTest
  void reloadReentersEveryRoomAndLosesNothing(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one");
        TcpProxy way = TcpProxy.to(server.port())) {
      Tab alice = entered(URI.create("http://127.0.0.1:" + way.port() + "/rooms/" + room), "alice");
      Tab bob = entered(server, room, "bob");
      write(bob, "before");
      awaitTexts(alice, SHOWN, List.of("before"));
      enter(alice, room + "-other");
      write(alice, "elsewhere");
      awaitTexts(alice, SHOWN, List.of("elsewhere"));
      enter(alice, room);
      way.mute(); // messages arrive, but no answers
      write(alice, "one");
      awaitTexts(bob, SHOWN, List.of("before", "one"));
      write(bob, "two");
      way.restore();
      alice.evaluate("location.reload()");
      awaitTexts(alice, SHOWN, List.of("before", "one", "two"));
      awaitTexts(alice, PENDING, List.of());
      enter(alice, room + "-other");
      awaitTexts(alice, SHOWN, List.of("elsewhere"));
      write(bob, "three");
      awaitTexts(alice, "#room-list .badge", List.of("1 new"));
      enter(alice, room);
      awaitTexts(alice, SHOWN, List.of("before", "one", "two", "three"));
      assertThat(alice.texts("#room-list .badge")).isEmpty();
      awaitTexts(bob, SHOWN, List.of("before", "one", "two", "three"));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  /** The embedding page supplies each token and does not know the room. */
  @EmbeddedTest
  void embeddedPageTakesItsTokenFromTheEmbeddingPage(TestBroker broker) throws Exception {
    Issuer issuer = Issuer.hs256("0123456789abcdef0123456789abcdef");
    Map<String, Object> claims = new HashMap<>(Issuer.claims("17", Duration.ofHours(1), room));
    claims.put("name", "alice");
    AtomicReference<String> html = new AtomicReference<>("");
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (HttpListener around =
        new HttpListener(free, "around-", _ -> new Answer(200, "text/html", html.get()))) {
      around.start();
      String origin = "http://127.0.0.1:" + around.address().getPort();
      Map<String, String> settings =
          Map.of(
              "CHATFLOW_TOKEN_KEYS",
              issuer.writeKey(folder.resolve("key-" + room)).toString(),
              "CHATFLOW_ORIGINS",
              "same," + origin);
      try (TestServer server = TestServer.start(broker.uri(), "one", settings);
          ChatClient bob =
              ChatClient.connect(
                  server.chat(room), 18, issuer.token("18", Duration.ofHours(1), room))) {
        bob.send("JOIN", "");
        bob.awaitType("JOIN", 18);
        html.set(
            """
            <script>
              const asked = [];
              addEventListener('message', ({ data, ports }) => {
                asked.push(data.chatflow + ' ' + data.why);
                ports[0].postMessage('%s');
              });
            </script>
            <iframe src="%s"></iframe>
            """
                .formatted(issuer.sign(claims), page(server, room)));
        Tab tab = browser.open(URI.create(origin));
        tab.await("asked.length === 1");
        Awaitility.await("the token names the user")
            .atMost(Duration.ofSeconds(30))
            .until(() ->
                tab.evaluateWithin("document.getElementById('userId')?.value ?? ''")
                    .getAsString()
                    .equals("17"));
        tab.evaluateWithin("document.getElementById('entry').requestSubmit()");
        JsonObject join = bob.awaitType("JOIN", 17);
        assertThat(join.get("username").getAsString()).isEqualTo("alice");
        tab.evaluateWithin(writeAll("from within"));
        assertThat(bob.awaitType("TEXT", 17).get("message").getAsString()).isEqualTo("from within");
        assertThat(tab.evaluate("asked.join()").getAsString())
            .isEqualTo("token connect,token connect");
        assertThat(browser.complaints()).isEmpty();
      }
    }
  }

  @EmbeddedTest
  void usersWithTextIdsChatThroughThePage(TestBroker broker) throws Exception {
    String id = "auth0:alice@example.org";
    Map<String, String> anyId = Map.of("CHATFLOW_USER_ID", "string");
    try (TestServer server = TestServer.start(broker.uri(), "one", anyId);
        ChatClient bob = ChatClient.connect(server.chat(room), "bob@example.org", "bob")) {
      bob.send("JOIN", "");
      bob.awaitType("JOIN", "bob@example.org");
      Tab alice = browser.open(page(server, room));
      alice.await("document.getElementById('userId-hint').textContent.startsWith('1 to 64')");
      alice.evaluate("document.getElementById('userId').value = 'no spaces'");
      alice.await("document.activeElement.id === 'username'");
      alice.type("alice");
      alice.press("Enter");
      alice.await("document.activeElement.matches('#userId:invalid')");
      alice.evaluate("document.getElementById('userId').value = '" + id + "'");
      alice.press("Enter");
      alice.await(ONLINE);
      awaitTexts(alice, "#members li", List.of("alice (you) #" + id, "bob #bob@example.org"));
      write(alice, "hello");
      assertThat(bob.awaitType("TEXT", id).get("message").getAsString()).isEqualTo("hello");
      bob.send("TEXT", "hello yourself");
      awaitTexts(alice, SHOWN, List.of("hello", "hello yourself"));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  /** An earlier page showed "Connected" for 92 s while its server was frozen. */
  @EmbeddedTest
  void unansweringServerIsReportedAndThePageReconnects(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one");
        TcpProxy way = TcpProxy.to(server.port())) {
      Tab alice = entered(URI.create("http://127.0.0.1:" + way.port() + "/rooms/" + room), "alice");
      way.freeze();
      alice.evaluate("window.dispatchEvent(new Event('offline'))");
      awaitTexts(alice, "#state", List.of("Not connected"));
      awaitTexts(alice, "#why", List.of("You are offline"));
      alice.evaluate("window.dispatchEvent(new Event('online'))");
      alice.await("document.getElementById('why').textContent !== 'You are offline'");
      assertThat(alice.texts("#state")).doesNotContain("Connected");
      write(alice, "offline");
      way.restore();
      alice.await(ONLINE);
      awaitTexts(alice, SHOWN, List.of("offline"));
    }
  }

  /** Sends scroll events before drawing, as slow browsers do. */
  private static final String SCROLL_EVENTS_BEFORE_DRAWING =
      """
      { const scroll = document.querySelector('.scroll');
        new MutationObserver(() => scroll.dispatchEvent(new Event('scroll')))
          .observe(scroll, { childList: true, subtree: true }); }
      """;

  @EmbeddedTest
  void readerFurtherUpSeesTheNumberOfNewMessagesAndLoadsEarlierOnes(TestBroker broker)
      throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab bob = entered(server, room, "bob");
      List<String> many = IntStream.range(0, 120).mapToObj(i -> "text " + i).toList();
      bob.evaluate(writeAll(many.toArray(String[]::new)));
      awaitTexts(bob, SHOWN, many);
      Tab alice = entered(server, room, "alice");
      awaitTexts(alice, SHOWN, many.subList(70, 120));
      alice.evaluate(SCROLL_EVENTS_BEFORE_DRAWING);
      alice.evaluate("document.querySelector('.scroll').scrollTop = 0");
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(alice.texts(SHOWN)).endsWith("text 119").contains("text 25"));
      alice.evaluate("document.querySelector('.scroll').scrollTop = 100");
      write(bob, "new");
      alice.await("document.querySelector('.news').offsetParent !== null");
      assertThat(alice.texts(".news")).containsExactly("1 new");
      assertThat(alice.texts(".mark")).containsExactly("New");
      alice.evaluate("document.querySelector('.news').click()");
      alice.await("document.querySelector('.news').hidden");
      assertThat(alice.texts(SHOWN)).endsWith("new");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @EmbeddedTest
  void addressesAreLinksAndNamesInNaturalOrder(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one");
        ChatClient tenth = ChatClient.joined(server.chat(room), 10);
        ChatClient second = ChatClient.joined(server.chat(room), 2)) {
      Tab alice = entered(server, room, "alice");
      awaitTexts(
          alice, "#members li", List.of(member(alice, "alice (you)"), "user2 #2", "user10 #10"));
      second.send("TEXT", "see https://example.com/a?b=(c), or javascript:alert(1)");
      awaitTexts(alice, ".body a", List.of("https://example.com/a?b=(c"));
      assertThat(alice.evaluate("document.querySelector('.body a').rel").getAsString())
          .contains("noopener");
      assertThat(alice.evaluate("document.querySelector('.body').dir").getAsString())
          .isEqualTo("auto");
      tenth.send("TEXT", "plain");
      awaitTexts(
          alice,
          SHOWN,
          List.of("see https://example.com/a?b=(c), or javascript:alert(1)", "plain"));
    }
  }

  /** Draws docs/page.png as {@link #PICTURE}. */
  @Tag("long") // the picture of the documents
  @Test
  void pictureOfAConversation() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server = TestServer.start(broker.uri(), "one")) {
      Tab bob = entered(server, "release", "bob");
      Tab cleo = entered(server, "release", "cleo");
      Tab dan = entered(server, "kitchen", "dan");
      List<String> said = new ArrayList<>();
      say(bob, said, "Morning! Is the build green?");
      say(cleo, said, "Since 9:00: https://ci.example.com/builds/4711");
      Tab alice = entered(server, "kitchen", "alice");
      enter(alice, "release");
      say(alice, said, "OK, starting the release");
      awaitTexts(alice, SHOWN, said);
      awaitTexts(alice, PENDING, List.of());
      alice.evaluate("document.getElementById('cut').click()");
      say(bob, said, "Good luck");
      say(cleo, said, "Watching the charts");
      awaitTexts(alice, MISSED, List.of("Good luck", "Watching the charts"));
      say(alice, said, "Done. I was offline for a moment and missed nothing");
      say(bob, said, "Great");
      write(dan, "Who wants tea?");
      write(dan, "There is also cake");
      awaitTexts(alice, "#room-list .badge", List.of("2 new"));
      awaitTexts(alice, SHOWN, said);
      alice.size(1200, 640, false);
      alice.scheme("light");
      alice.await(
          "innerHeight === 640 && matchMedia('(prefers-color-scheme: light)').matches"
              + " && document.querySelector('.conversation:not([hidden]) .messages > li:last-child')"
              + ".getBoundingClientRect().bottom < 640");
      byte[] picture = alice.picture();
      assertThat(picture.length).isGreaterThan(20_000);
      Files.write(PICTURE, picture);
      assertThat(browser.complaints()).isEmpty();
    }
  }

  /** Writes a text after all earlier ones have arrived, and appends it to them. */
  private static void say(Tab who, List<String> said, String text) {
    awaitTexts(who, SHOWN, said);
    write(who, text);
    said.add(text);
  }

  private static JsonObject afterClose(Tab tab, int code, String reason) {
    return tab.evaluate(
            "import('./lib/protocol.js').then(p => p.afterClose(%d, %s, 0, Math.random()))"
                .formatted(code, new JsonPrimitive(reason)))
        .getAsJsonObject();
  }

  private static int delay(Tab tab, int code, String reason) {
    return afterClose(tab, code, reason).get("delay").getAsInt();
  }

  /** Returns the address of a room's page, or of the start page. */
  private static URI page(TestServer server, String room) {
    String endpoint = server.chat(room).toString().replace("ws:", "http:");
    return URI.create(room.isEmpty() ? endpoint.replace("chat/", "") : endpoint);
  }

  /** Enters with the keyboard. The focus starts at the name and moves to the message. */
  private static Tab entered(TestServer server, String room, String name) {
    return entered(page(server, room), name);
  }

  private static Tab entered(URI page, String name) {
    Tab tab = browser.open(page);
    tab.await("document.activeElement.id === 'username'");
    tab.type(name);
    tab.press("Enter");
    tab.await(ONLINE);
    assertThat(focus(tab)).isEqualTo("text");
    return tab;
  }

  private static void write(Tab tab, String text) {
    tab.evaluate("document.getElementById('text').focus()");
    tab.type(text);
    tab.press("Enter");
  }

  /** Returns statements that write all messages at once. */
  private static String writeAll(String... texts) {
    return "for (const text of ['"
        + String.join("', '", texts)
        + "']) { document.getElementById('text').value = text;"
        + " document.getElementById('write').requestSubmit(); }";
  }

  private static void enter(Tab tab, String room) {
    tab.evaluate(
        "document.getElementById('other-room').value = '%s'; document.getElementById('other').requestSubmit()"
            .formatted(room));
    tab.await("document.getElementById('title').textContent === '" + room + "' && " + ONLINE);
  }

  private static String focus(Tab tab) {
    return tab.evaluate("document.activeElement.id").getAsString();
  }

  private static int number(Tab tab) {
    return tab.evaluate("Number(document.getElementById('userId').value)").getAsInt();
  }

  private static String member(Tab tab, String name) {
    return name + " #" + number(tab);
  }

  private static void awaitTexts(Tab tab, String selector, List<String> texts) {
    Awaitility.await(selector)
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(tab.texts(selector)).isEqualTo(texts));
  }

  private static void awaitEvent(Tab tab, String pattern) {
    Awaitility.await(pattern)
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(tab.texts(EVENTS)).anyMatch(t -> t.matches(pattern)));
  }

  private static void awaitSorted(Tab tab, List<String> texts) {
    Awaitility.await("all shown once")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(tab.texts(SHOWN)).containsExactlyInAnyOrderElementsOf(texts));
  }
}
