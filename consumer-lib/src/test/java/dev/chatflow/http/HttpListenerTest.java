package dev.chatflow.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HttpListenerTest {

  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static CompletableFuture<HttpResponse<String>> get(
      HttpClient client, HttpListener listener) {
    URI uri = URI.create("http://127.0.0.1:" + listener.address().getPort() + "/path?a=b");
    return client.sendAsync(
        HttpRequest.newBuilder(uri).header("Accept", "text/plain").build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void answersWithWhatItIsTold() throws Exception {
    try (HttpListener listener =
            new HttpListener(
                FREE,
                "test-",
                asked ->
                    new Answer(
                        203,
                        "text/plain",
                        asked.method() + " " + asked.uri() + " " + asked.accept() + " ü"));
        HttpClient client = HttpClient.newHttpClient()) {
      listener.start();
      HttpResponse<String> response = get(client, listener).get();
      assertThat(response.statusCode()).isEqualTo(203);
      assertThat(response.body()).isEqualTo("GET /path?a=b text/plain ü");
    }
  }

  @Test
  void moreRequestsThanAllowedAtOnceAreToldToRepeat() throws Exception {
    CountDownLatch hold = new CountDownLatch(1);
    try (HttpListener listener =
            new HttpListener(
                FREE,
                "test-",
                _ -> {
                  await(hold);
                  return Answer.ok("done");
                });
        HttpClient client = HttpClient.newHttpClient()) {
      listener.start();
      List<CompletableFuture<HttpResponse<String>>> answers =
          Stream.generate(() -> get(client, listener)).limit(33).toList();
      HttpResponse<?> first =
          (HttpResponse<?>)
              CompletableFuture.anyOf(answers.toArray(CompletableFuture<?>[]::new)).get();
      assertThat(first.statusCode()).isEqualTo(503);
      assertThat(first.body().toString()).contains("BUSY");
      hold.countDown();
      assertThat(answers.stream().map(CompletableFuture::join).map(HttpResponse::statusCode))
          .containsOnlyOnce(503)
          .contains(200);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Such a page could stop a server: browsers ask first only where headers are unusual. */
  @Test
  void pageFromElsewhereIsRefusedWithoutBeingAnswered() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (HttpListener listener =
            new HttpListener(FREE, "test-", _ -> Answer.ok(asked.incrementAndGet()));
        HttpClient client = HttpClient.newHttpClient()) {
      listener.start();
      int port = listener.address().getPort();
      URI uri = URI.create("http://127.0.0.1:" + port + "/drain");
      HttpRequest foreign =
          HttpRequest.newBuilder(uri)
              .header("Origin", "https://evil.test")
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      HttpResponse<String> refused = client.send(foreign, HttpResponse.BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("FORBIDDEN");
      assertThat(asked).hasValue(0);
      HttpRequest own =
          HttpRequest.newBuilder(uri).header("Origin", "http://localhost:" + port).build();
      assertThat(client.send(own, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void addressThatIsTakenIsNamed() throws Exception {
    try (HttpListener first = new HttpListener(FREE, "test-", _ -> Answer.ok(""))) {
      assertThatThrownBy(() -> new HttpListener(first.address(), "test-", _ -> Answer.ok("")))
          .isInstanceOf(IOException.class)
          .hasMessageMatching("cannot listen on .*:%d: .+".formatted(first.address().getPort()));
    }
  }

  @Test
  void errorsHaveTheFormOfTheProtocol() {
    assertThat(Answer.problem(409, "TAKEN", "a \"b\" <c>"))
        .isEqualTo(
            new Answer(
                409,
                "application/json",
                "{\"status\":409,\"errorCode\":\"TAKEN\",\"error\":\"a \\\"b\\\" <c>\"}"));
    assertThat(Answer.notFound("/a").status()).isEqualTo(404);
    assertThat(Answer.methodNotAllowed("GET").status()).isEqualTo(405);
  }

  @Test
  void serverThatStartsOrDrainsIsNotToBeUsed() {
    assertThat(Status.UP.httpStatus()).isEqualTo(200);
    assertThat(Status.DEGRADED.httpStatus()).isEqualTo(200);
    assertThat(Status.STARTING.httpStatus()).isEqualTo(503);
    assertThat(Status.DRAINING.httpStatus()).isEqualTo(503);
  }
}
