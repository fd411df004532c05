package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.testing.RabbitNode;
import dev.chatflow.server.Browser.Tab;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The effects on users and programs of a RabbitMQ that is restarted or paused. */
@EnabledIf(
    value = "dev.chatflow.broker.testing.RabbitNode#isInstalled",
    disabledReason = RabbitNode.ABSENT)
class BrokerRestartIT {

  private static final String SHOWN = ".messages .text .body";
  private static final String PENDING = ".pending .body";
  private static final List<String> PHASES = List.of("before", "meanwhile", "away", "after");
  private static final int EACH = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ONLINE = "document.body.dataset.state === 'here'";

  @SuppressWarnings("NullAway.Init")
  private static RabbitNode broker;

  @BeforeAll
  static void startBroker() throws IOException {
    broker = RabbitNode.start();
  }

  @AfterAll
  static void stopBroker() throws IOException {
    broker.close();
  }

  @Test
  @EnabledIf(
      value = "dev.chatflow.server.Browser#isInstalled",
      disabledReason = "no Chromium in the path; CHATFLOW_TEST_CHROMIUM may name one")
  void twoBrowsersOnTwoServersMissNothing() throws Exception {
    try (Browser browser = Browser.start();
        TestServer first = TestServer.start(broker.uri(), "one");
        TestServer second = TestServer.start(broker.uri(), "two")) {
      Map<String, Tab> people =
          Map.of("alice", entered(browser, first, "alice"), "bob", entered(browser, second, "bob"));
      write(people, "before");
      CompletableFuture<Void> stop = CompletableFuture.runAsync(BrokerRestartIT::stop);
      write(people, "meanwhile");
      stop.join();
      write(people, "away");
      people.forEach((name, tab) -> awaitPending(tab, name + " away 3"));
      broker.startAgain();
      write(people, "after");
      people.values().forEach(tab -> awaitAllShown(tab, people.keySet()));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static void stop() {
    try {
      broker.stop();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Tab entered(Browser browser, TestServer server, String name) {
    String page = server.chat("browsers").toString().replace("ws:", "http:");
    Tab tab = browser.open(URI.create(page));
    tab.await("document.activeElement.id === 'username'");
    tab.type(name);
    tab.press("Enter");
    tab.await(ONLINE);
    return tab;
  }

  /** Each user writes three messages, in turn. */
  private static void write(Map<String, Tab> people, String when) {
    for (int i = 1; i <= EACH; i++) {
      String number = " " + when + " " + i;
      people.forEach((name, tab) -> {
        tab.evaluate("document.getElementById('text').focus()");
        tab.type(name + number);
        tab.press("Enter");
      });
    }
  }

  private static void awaitPending(Tab tab, String text) {
    Awaitility.await("pending")
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(tab.texts(PENDING)).contains(text));
  }

  /**
   * Waits until all messages are shown once, each user's in the order written, and none is pending.
   */
  private static void awaitAllShown(Tab tab, Set<String> names) {
    Awaitility.await("all shown, nothing pending")
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(tab.texts(SHOWN)).hasSize(names.size() * PHASES.size() * EACH);
          assertThat(tab.texts(PENDING)).isEmpty();
        });
    for (String name : names) {
      List<String> written =
          PHASES.stream()
              .flatMap(when -> IntStream.rangeClosed(1, EACH).mapToObj(i -> when + " " + i))
              .map(text -> name + " " + text)
              .toList();
      assertThat(tab.texts(SHOWN)).filteredOn(t -> t.startsWith(name + " ")).isEqualTo(written);
    }
    assertThat(tab.evaluate(ONLINE).getAsBoolean()).isTrue();
    assertThat(tab.texts(".event"))
        .as("the connection was never lost")
        .noneMatch(text -> text.contains("You were offline"));
  }

  @Test
  void postThatIsNotConfirmedInTimeIsAcceptedAndItsRepeatShownOnce() throws Exception {
    Map<String, String> two = Map.of("CHATFLOW_HTTP_IN_FLIGHT", "2");
    try (TestServer server = TestServer.start(broker.uri(), "one", two);
        ChatClient member = ChatClient.joined(server.chat("5"), 1)) {
      broker.freeze();
      try {
        CompletableFuture<HttpResponse<String>> first = posted(server, "m-1");
        CompletableFuture<HttpResponse<String>> second = posted(server, "m-2");
        Awaitility.await("both under way")
            .until(() -> server.get("/api/stats").body().contains("\"messagesIn\":3"));
        HttpResponse<String> third = posted(server, "m-3").join();
        assertThat(third.statusCode()).isEqualTo(503);
        assertThat(third.body()).contains("2 posts are in flight already");
        for (var waiting : List.of(first, second)) {
          assertThat(waiting.join().statusCode()).isEqualTo(202);
          assertThat(waiting.join().headers().firstValue("Retry-After")).isPresent();
          assertThat(waiting.join().body()).contains("\"messageId\":\"m-");
        }
      } finally {
        broker.thaw();
      }
      assertThat(member.awaitType("TEXT", 7).get("messageId").getAsString()).startsWith("m-");
      assertThat(member.awaitType("TEXT", 7).get("messageId").getAsString()).startsWith("m-");
      assertThat(posted(server, "m-1").join().statusCode()).isEqualTo(201);
      assertThat(posted(server, "last").join().statusCode()).isEqualTo(201);
      assertThat(member.awaitType("TEXT", 7).get("messageId").getAsString()).isEqualTo("last");
    }
  }

  private static CompletableFuture<HttpResponse<String>> posted(TestServer server, String id) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return server.post("5", PublishIT.text(7, "x"), "Idempotency-Key", id);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        Thread::startVirtualThread);
  }
}
