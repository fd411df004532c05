package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.chatflow.server.Browser.Tab;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.catalina.LifecycleException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Tests in a real browser how the page requests and shows a room's past, and names people who are
 * typing. The test creates the frames, so that also the cases occur that servers rarely produce.
 */
@EnabledIf(
    value = "dev.chatflow.server.Browser#isInstalled",
    disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
class PagePastIT {

  /** The address of a missing broker: the server only delivers the page. */
  private static final URI NO_BROKER = URI.create("amqp://127.0.0.1:1");

  /** Replaces the browser's WebSocket; {@code room} acts as the server. */
  private static final String FAKE =
      """
      window.room = {
        sockets: [],
        get socket() { return this.sockets.at(-1); },
        sent(type) { return this.socket.sent.filter((f) => f.messageType === type); },
        get join() { return this.sent('JOIN').at(-1); },
        isAsked(times) { return this.sockets.length === times && this.join !== undefined; },
        show(...frames) { frames.forEach((f) => this.socket.onmessage({ data: JSON.stringify(f) })); },
        admit() {
          const { after, history, members, ...own } = this.join;
          const serverTimestamp = new Date().toISOString();
          const shown = { ...own, roomId: '5', message: '', serverTimestamp, serverId: 'one', status: 200 };
          const me = { userId: own.userId, username: own.username };
          this.show({ messageType: 'MEMBERS', count: 1, complete: true, members: [me], status: 200 }, shown);
          return shown;
        },
        end(code, reason) { this.socket.onclose({ code, reason }); },
      };
      window.WebSocket = class {
        sent = [];
        constructor(address, protocols) {
          this.protocols = protocols;
          room.sockets.push(this);
          setTimeout(() => this.onopen());
        }
        send(data) { this.sent.push(JSON.parse(data)); }
        close() {}
      };
      """;

  private static final String AT_THE_END =
      "(s => s.scrollHeight - s.scrollTop - s.clientHeight < 2)(document.querySelector('.scroll'))";

  /** The upper edges of everything around the line of those who are typing. */
  private static final String EDGES =
      "['.text', '.typing', '#write'].map(one => document.querySelector(one).getBoundingClientRect().top).join()";

  @SuppressWarnings("NullAway.Init")
  private static Browser browser;

  @SuppressWarnings("NullAway.Init")
  private static TestServer server;

  @BeforeAll
  static void start() throws IOException, LifecycleException {
    server = TestServer.launch(NO_BROKER, "one", Map.of());
    browser = Browser.start();
  }

  @AfterAll
  static void stop() throws IOException, LifecycleException {
    browser.close();
    server.close();
  }

  @Test
  void newMemberSeesThePastInPaleColour() {
    Room room = new Room();
    assertThat(room.join().has("after")).isFalse();
    assertThat(room.join().get("history").getAsInt()).isEqualTo(50);
    room.show(joined(7), text(7, "a", "hello"), text(17, "b", "I was here before"), left(7));
    room.admit();
    room.show(text(7, "c", "live"));
    room.awaitLines("past|hello", "past|I was here before", "|live");
    assertThat(room.tab.texts("#members li")).containsExactly("alice (you) #17");
    assertThat(room.tab.texts(".past.own .body")).containsExactly("I was here before");
    assertThat(room.tab.texts(".messages time").getFirst()).as("of another day").contains("2001");
  }

  @Test
  void missedMessagesAreShownOnceAndMarked() {
    Room room = Room.entered();
    JsonObject last = text(7, "a", "before");
    room.show(last);
    room.comesBack();
    assertThat(room.join().get("after")).isEqualTo(nameOf(last));
    room.show(last, text(7, "b", "one"), joined(8), text(8, "a", "two"));
    room.admit();
    room.show(text(7, "c", "live"));
    room.awaitLines(
        "|before",
        "|You were offline for N s and missed 2 messages:",
        "missed|one",
        "|user8 joined",
        "missed|two",
        "|live");
    room.awaitTexts("#members li", "alice (you) #17"); // as in the member list of the server
  }

  /** A short loss without missed messages, such as a reload, is not reported. */
  @Test
  void reportStatesTheNumberOfMissedMessages() {
    Room room = Room.entered();
    JsonObject last = text(7, "a", "before");
    room.show(last);
    room.comesBack();
    room.show(last, text(7, "b", "one"));
    JsonObject join = room.admit();
    room.comesBack();
    room.show(join);
    JsonObject again = room.admit();
    room.comesBack();
    room.show(again, text(7, "c", "two"));
    room.admit();
    room.awaitLines(
        "|before",
        "|You were offline for N s and missed 1 message:",
        "missed|one",
        "|You were offline for N s and missed 1 message:",
        "missed|two");
  }

  @Test
  void failedResumeIsReportedAndShowsOnlyNewMessages() {
    Room room = Room.entered();
    JsonObject known = text(7, "a", "known");
    room.show(known, text(7, "b", "the last"));
    room.end(4010, "");
    room.awaitAsked();
    assertThat(room.join().has("after")).isFalse();
    room.show(known, text(7, "c", "new"));
    room.admit();
    room.show(text(7, "d", "live"));
    room.awaitLines(
        "|known",
        "|the last",
        "|You were offline. Some messages could not be recovered.",
        "past|new",
        "|live");
  }

  @Test
  void messageOfUnknownOutcomeIsReportedAndResentOnRequest() {
    Room room = Room.entered();
    room.write("one");
    room.awaitTexts(".pending .head", "Sending\u2026");
    room.comesBack();
    room.admit();
    room.awaitLines("|You were offline. Some messages could not be recovered.", "refused|one");
    assertThat(room.sent("TEXT")).isEmpty();
    assertThat(room.tab.texts(".refused .head"))
        .containsExactly("May not have been sent (connection lost)");
    room.tab.evaluate("document.querySelector('.refused button').click()");
    assertThat(room.sent("TEXT"))
        .extracting(text -> text.get("message").getAsString())
        .containsExactly("one");
    room.awaitLines("|You were offline. Some messages could not be recovered.");
    room.awaitTexts(".pending .body", "one");
  }

  /** An older page brings the message and its first edit after the second one was shown. */
  @Test
  void laterEditPrevailsOverAnEarlierOneFromAnOlderPage() {
    Room room = Room.entered();
    room.show(edit("e2", "second"), text(7, "x", "shown"));
    room.awaitLines("|shown");
    String pages =
        Arrays.toString(new JsonObject[] {text(7, "m", "first of all"), edit("e1", "first")});
    room.tab.evaluate(
        "{ const pages = [%s]; window.fetch = async () => ({ ok: true, status: 200, json: async () => ({ messages: pages.shift() ?? [] }) }); }"
            .formatted(pages));
    room.tab.evaluate("document.querySelector('.scroll').dispatchEvent(new Event('scroll'))");
    room.awaitLines("past|second", "|shown");
  }

  /** Returns an edit of the message m of user 7. */
  private static JsonObject edit(String id, String text) {
    JsonObject edit = text(7, id, text);
    edit.addProperty("kind", "edit");
    edit.addProperty("ref", "m");
    edit.addProperty("refUserId", "7");
    return edit;
  }

  @Test
  void joinsAndLeavesShareOneLine() {
    Room room = Room.entered();
    room.show(text(4, "a", "hello"), joined(7), joined(8), left(7), joined(9), left(17));
    room.awaitLines("|hello", "|user8, user9 joined");
    room.show(left(9), left(8), joined(10), text(4, "b", "bye"), left(10));
    room.awaitLines("|hello", "|user10 joined", "|bye", "|user10 left");
  }

  /** A line between an update and its scroll event once counted as scrolling up. */
  @Test
  void readerAtTheEndFollowsABusyRoom() {
    Room room = Room.entered();
    room.show(lines(0, 60));
    room.tab.await(AT_THE_END);
    room.tab.evaluate(
        "room.show(...%s); document.querySelector('.scroll').dispatchEvent(new Event('scroll'))"
            .formatted(Arrays.toString(lines(60, 70))));
    room.tab.await("document.querySelectorAll('.text').length === 70 && " + AT_THE_END);
    assertThat(room.tab.evaluate("document.querySelector('.news').hidden").getAsBoolean()).isTrue();
  }

  @Test
  void oldLinesAreRemovedAndNothingIsInsertedBeforeTheGap() {
    Room room = Room.entered();
    room.show(lines(0, 600));
    room.tab.await("document.querySelectorAll('.messages > li').length === 500");
    assertThat(room.tab.texts(".scroll > .event"))
        .containsExactly("Older messages were removed from view");
    assertThat(room.tab.texts(".body").getFirst()).isEqualTo("line 100");
  }

  @Test
  void overlongTextStaysInTheInputWithItsError() {
    Room room = Room.entered();
    room.write("x".repeat(501));
    room.awaitWritten("a text has 1 to 500 characters, not 501", 501);
    assertThat(room.sent("TEXT")).isEmpty();
    room.tab.evaluate("document.getElementById('text').focus()");
    room.tab.evaluate("document.getElementById('text').value = 'x'.repeat(499)");
    room.tab.type("y");
    room.tab.press("Enter");
    room.awaitWritten("", 0);
    assertThat(room.sent("TEXT")).hasSize(1);
  }

  /** The token leaves the address at once and names the user. */
  @Test
  void tokenOfALinkLeavesTheAddressAndNamesTheUser() {
    String token = "e30." + base64("{\"sub\":\"17\",\"name\":\"alice\"}") + ".x";
    Tab tab = browser.open(URI.create(Room.page() + "#token=" + token));
    tab.await("document.activeElement.id === 'room'");
    assertThat(tab.evaluate("location.href").getAsString()).isEqualTo(Room.page().toString());
    assertThat(tab.evaluate("document.getElementById('username').offsetParent === null"))
        .isEqualTo(new JsonPrimitive(true));
    tab.evaluate(FAKE);
    tab.press("Enter");
    tab.await("window.room.isAsked(1)");
    assertThat(tab.evaluate("window.room.socket.protocols.join(' ')").getAsString())
        .isEqualTo("chatflow.v1 token." + token);
    assertThat(tab.evaluate("window.room.join.username").getAsString()).isEqualTo("alice");
    tab.evaluate("window.room.end(4001, '')");
    tab.await("document.body.dataset.state === 'stopped'");
    assertThat(tab.texts("#why"))
        .containsExactly("The server rejected this token, and there is no other");
    assertThat(browser.complaints()).isEmpty();
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void screenReadersDoNotAnnounceThePast() {
    Room room = new Room();
    room.show(joined(7), text(7, "a", "hello"));
    JsonObject join = room.admit();
    room.comesBack();
    room.show(join, text(7, "b", "missed"));
    room.admit();
    room.show(text(7, "c", "live"));
    Awaitility.await().until(() -> room.tab.texts(".body").contains("live"));
    assertThat(room.tab.texts("[role=log] [aria-live=off] .body"))
        .containsExactly("hello", "missed");
    assertThat(room.tab.texts("[role=log] li:not([aria-live]) .body")).containsExactly("live");
  }

  /** Repeats all signals in each step, because they expire on a busy machine too. */
  @Test
  void lineOfThoseWhoAreTypingMovesNothing() {
    Room room = Room.entered();
    room.show(joined(8), text(7, "a", "hello"));
    room.awaitLines("|user8 joined", "|hello");
    JsonElement edges = room.tab.evaluate(EDGES);
    room.show(typing(7), typing(17));
    room.awaitTexts(".typing", "user7 is typing\u2026");
    room.show(typing(7), typing(8));
    room.awaitTexts(".typing", "user7 and user8 are typing\u2026");
    room.show(typing(7), typing(8), typing(9));
    room.awaitTexts(".typing", "3 people are typing\u2026");
    assertThat(room.tab.evaluate(EDGES)).isEqualTo(edges);
    room.show(typing(7), typing(8), typing(9), edit("e", "changed"), left(8));
    room.awaitTexts(".typing", "user9 is typing\u2026");
    room.awaitTexts(".typing", "");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void newTextIsSignalledButNotAnEditAndNotSpaces() {
    Room room = Room.entered();
    room.show(text(17, "a", "hello"));
    room.awaitLines("|hello");
    room.tab.evaluate(
        "document.querySelector('.act').click(); document.getElementById('edit').click()");
    room.tab.type("!");
    room.tab.evaluate("document.getElementById('stop-composing').click()");
    room.tab.type(" ");
    assertThat(room.sent("SIGNAL")).isEmpty();
    room.tab.type("a");
    room.tab.type("b");
    assertThat(room.sent("SIGNAL"))
        .singleElement()
        .satisfies(signal -> assertThat(signal.get("kind").getAsString()).isEqualTo("typing"));
  }

  private static JsonObject typing(int user) {
    JsonObject signal = broadcast("SIGNAL", user, "signal");
    signal.addProperty("kind", "typing");
    return signal;
  }

  private static JsonObject[] lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> text(7, "line-" + i, "line " + i))
        .toArray(JsonObject[]::new);
  }

  private static JsonObject text(int user, String id, String message) {
    JsonObject frame = broadcast("TEXT", user, id);
    frame.addProperty("message", message);
    return frame;
  }

  private static JsonObject joined(int user) {
    return broadcast("JOIN", user, "join");
  }

  private static JsonObject left(int user) {
    JsonObject frame = broadcast("LEAVE", user, "leave");
    frame.addProperty("synthetic", true);
    return frame;
  }

  private static JsonObject broadcast(String type, int user, String id) {
    JsonObject frame = new JsonObject();
    frame.addProperty("messageType", type);
    frame.addProperty("roomId", "5");
    frame.addProperty("userId", Integer.toString(user));
    frame.addProperty("username", "user" + user);
    frame.addProperty("message", "");
    frame.addProperty("timestamp", "2001-02-03T04:05:06Z");
    frame.addProperty("messageId", id);
    frame.addProperty("serverTimestamp", "2001-02-03T04:05:06.789Z");
    frame.addProperty("serverId", "one");
    frame.addProperty("status", 200);
    return frame;
  }

  private static JsonObject nameOf(JsonObject frame) {
    JsonObject name = new JsonObject();
    List.of("messageType", "userId", "messageId", "serverTimestamp")
        .forEach(field -> name.add(field, frame.get(field)));
    return name;
  }

  /** The page of alice, user 17, in room 5, and the server of that room. */
  private static final class Room {
    private final Tab tab = browser.open(page());
    private int connections;

    /** Opens the page, which then requests to join. */
    Room() {
      tab.evaluate(FAKE);
      tab.evaluate("document.getElementById('userId').value = '17'");
      tab.evaluate("document.getElementById('username').value = 'alice'");
      tab.evaluate("document.getElementById('entry').requestSubmit()");
      awaitAsked();
    }

    static Room entered() {
      Room room = new Room();
      room.admit();
      return room;
    }

    private static URI page() {
      return URI.create("http://127.0.0.1:" + server.port() + "/rooms/5");
    }

    void awaitAsked() {
      connections += 1;
      tab.await("room.isAsked(" + connections + ")");
    }

    JsonObject join() {
      return tab.evaluate("room.join").getAsJsonObject();
    }

    void show(JsonObject... frames) {
      tab.evaluate("room.show(..." + Arrays.toString(frames) + ")");
    }

    /** Shows alice's JOIN. */
    JsonObject admit() {
      return tab.evaluate("room.admit()").getAsJsonObject();
    }

    void end(int code, String reason) {
      tab.evaluate("room.end(%d, %s)".formatted(code, new JsonPrimitive(reason)));
    }

    /** Loses the connection; the page then requests to join again. */
    void comesBack() {
      end(1001, "reconnect after 0 ms");
      awaitAsked();
    }

    void write(String text) {
      tab.evaluate(
          "document.getElementById('text').value = %s; document.getElementById('write').requestSubmit()"
              .formatted(new JsonPrimitive(text)));
    }

    /** Waits for the error of the text to be sent, and its length. */
    void awaitWritten(String wrong, int length) {
      String text = "document.getElementById('text')";
      tab.await(
          text
              + ".validationMessage === '"
              + wrong
              + "' && "
              + text
              + ".value.length === "
              + length);
    }

    /** Returns the frames that the page sent over its current connection. */
    List<JsonObject> sent(String type) {
      return tab.evaluate("room.sent('" + type + "')").getAsJsonArray().asList().stream()
          .map(JsonElement::getAsJsonObject)
          .toList();
    }

    /** Returns age or rejection, and text, of each line, with N for seconds. */
    private List<String> lines() {
      String expression =
          """
          [...document.querySelectorAll('.messages > li:not([hidden])')].map((line) => {
            const age = ['past', 'missed', 'refused'].filter((c) => line.classList.contains(c)).join();
            const text = line.querySelector('.body') ?? line;
            return `${age}|${text.textContent.replace(/[0-9]+ s/, 'N s')}`;
          })\
          """;
      return tab.evaluate(expression).getAsJsonArray().asList().stream()
          .map(JsonElement::getAsString)
          .toList();
    }

    void awaitTexts(String selector, String... texts) {
      Awaitility.await(selector)
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(tab.texts(selector)).containsExactly(texts));
    }

    void awaitLines(String... lines) {
      Awaitility.await("lines")
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(lines()).containsExactly(lines));
      assertThat(browser.complaints()).isEmpty();
    }
  }
}
