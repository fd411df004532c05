package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.chat.link.FakeNet;
import dev.chatflow.chat.link.Net;
import dev.chatflow.chat.link.Servers;
import dev.chatflow.chat.link.Tokens;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that posts are repeated with their key while a retry can succeed. */
class PosterTest {

  private static final String PATH = "api/rooms/5/messages";
  private static final String RECEIPT =
      "{\"messageId\":\"k-1\",\"serverTimestamp\":\"2026-11-20T18:46:00.125Z\"}";

  private final FakeNet net = new FakeNet();
  private final Servers servers =
      new Servers(List.of(URI.create("http://host/"), URI.create("http://other/team/")));
  private final List<Duration> pauses = new ArrayList<>();

  private Receipt post(Tokens tokens) throws InterruptedException {
    Poster.Pauses clock =
        new Poster.Pauses() {
          @Override
          public long nanos() {
            return pauses.stream().mapToLong(Duration::toNanos).sum();
          }

          @Override
          public void pause(Duration time) {
            pauses.add(time);
          }
        };
    return new Poster(net, servers, tokens, clock).post(PATH, "k-1", "{}");
  }

  private Receipt post() throws InterruptedException {
    return post(new Tokens(null, 0, () -> 0));
  }

  @Test
  void receiptHasTheTimeOfAcceptance() throws InterruptedException {
    net.answers.add(new Net.Answer(201, 0, RECEIPT));
    assertThat(post())
        .isEqualTo(new Values.ReceiptValue("k-1", Instant.parse("2026-11-20T18:46:00.125Z")));
    assertThat(net.requests).containsExactly("POST http://host/" + PATH + " null k-1 {}");
  }

  @Test
  void postIsRepeatedAfterTheRequestedDelay() throws InterruptedException {
    net.answers.add(new Net.Answer(202, 2, RECEIPT));
    net.answers.add(new Net.Answer(503, 0, ""));
    net.answers.add(new Net.Answer(201, 0, RECEIPT));
    assertThat(post().id()).isEqualTo("k-1");
    assertThat(pauses).containsExactly(Duration.ofSeconds(2), Duration.ofMillis(500));
  }

  @Test
  void serverThatIsUnavailableIsFollowedByTheNext() throws InterruptedException {
    net.answers.add(new Net.Answer(503, 0, ""));
    net.answers.add(new Net.Answer(202, 0, ""));
    net.answers.add(new Net.Answer(201, 0, RECEIPT));
    post();
    assertThat(net.requests)
        .extracting(request -> request.split(" ", 3)[1])
        .containsExactly(
            "http://host/" + PATH, "http://other/team/" + PATH, "http://other/team/" + PATH);
  }

  @Test
  void unconfirmedPostFailsAfterAMinute() {
    assertThatThrownBy(this::post)
        .isInstanceOf(ChatException.class)
        .hasMessage("not confirmed within 60 s: no route");
    assertThat(pauses).hasSizeBetween(9, 14).contains(Duration.ofSeconds(8));
  }

  @Test
  void requestedDelayIsLimitedToAMinute() {
    net.answers.add(new Net.Answer(503, 3_600, ""));
    assertThatThrownBy(this::post).hasMessage("not confirmed within 60 s: the server answers 503");
    assertThat(pauses).containsExactly(Duration.ofMinutes(1));
  }

  private void assertRefused(Code code, String message) {
    assertThatThrownBy(this::post)
        .isInstanceOf(ChatException.class)
        .hasFieldOrPropertyWithValue("code", code)
        .hasMessage(message);
  }

  @Test
  void refusalIsFinal() {
    net.answers.add(
        new Net.Answer(
            422,
            0,
            "{\"errorCode\":\"VALIDATION_FAILED\",\"error\":\"1 field\",\"errors\":{\"message\":\"is missing\"}}"));
    assertRefused(Code.VALIDATION_FAILED, "message is missing");
    net.answers.add(new Net.Answer(404, 0, "<html>"));
    assertRefused(Code.OTHER, "the server answers 404");
    net.answers.add(new Net.Answer(403, 0, "{\"errorCode\":\"NEW\",\"error\":\"no\"}"));
    assertRefused(Code.OTHER, "NEW: no");
  }

  @Test
  void rejectedTokenIsReplacedOnce() throws InterruptedException {
    Scene scene = new Scene();
    List<String> tokens = new ArrayList<>(List.of(scene.token("17", 99), scene.token("17", 99)));
    net.answers.add(new Net.Answer(401, 0, ""));
    net.answers.add(new Net.Answer(201, 0, RECEIPT));
    post(new Tokens(tokens::removeFirst, scene.loop.now(), scene.loop::elapsed));
    assertThat(net.requests).hasSize(2).doesNotHaveDuplicates();
  }
}
