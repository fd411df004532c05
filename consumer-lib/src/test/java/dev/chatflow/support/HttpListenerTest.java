package dev.chatflow.support;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT) // one of its tests waits for 20 s
class HttpListenerTest {

  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** More than the sockets of both sides hold, in bytes. */
  private static final String LARGE = "x".repeat(16 << 20);

  private static CompletableFuture<HttpResponse<String>> get(
      HttpClient client, HttpListener listener) {
    return get(client, listener, "/path?a=b");
  }

  private static CompletableFuture<HttpResponse<String>> get(
      HttpClient client, HttpListener listener, String path) {
    URI uri = URI.create("http://127.0.0.1:" + listener.address().getPort() + path);
    return client.sendAsync(
        HttpRequest.newBuilder(uri).header("Accept", "text/plain").build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void answersWithTheGivenResponse() throws Exception {
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
  void tooManyConcurrentRequestsAreAskedToRetry() throws Exception {
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

  /** A slot freed before the response was sent let any number of responses accumulate. */
  @Test
  void clientThatDoesNotReadItsResponseKeepsItsSlot() throws Exception {
    CountDownLatch asked = new CountDownLatch(HttpListener.MAX_REQUESTS - 1);
    CountDownLatch hold = new CountDownLatch(1);
    HttpListener.Answers answers =
        request -> {
          if (request.uri().getPath().equals("/held")) {
            asked.countDown();
            await(hold);
          }
          return new Answer(
              200, "text/plain", request.uri().getPath().equals("/large") ? LARGE : "done");
        };
    try (HttpListener listener =
            new HttpListener(FREE, "test-", answers, null, Duration.ofHours(1));
        HttpClient client = HttpClient.newHttpClient()) {
      listener.start();
      try (Socket deaf = deaf(listener)) {
        assertThat(deaf.getInputStream().read()).as("the answer is on its way").isEqualTo('H');
        var held =
            Stream.generate(() -> get(client, listener, "/held"))
                .limit(HttpListener.MAX_REQUESTS - 1)
                .toList();
        asked.await();
        assertThat(get(client, listener, "/more").get().statusCode()).isEqualTo(503);
        hold.countDown();
        assertThat(held.stream().map(CompletableFuture::join).map(HttpResponse::statusCode))
            .containsOnly(200);
      }
    }
  }

  @Test
  void clientThatNeverReadsItsResponseLosesItsSlotInTheEnd() throws Exception {
    HttpListener.Answers answers =
        request ->
            new Answer(
                200, "text/plain", request.uri().getPath().equals("/large") ? LARGE : "done");
    List<Socket> deaf = new ArrayList<>();
    try (HttpListener listener =
            new HttpListener(FREE, "test-", answers, null, Duration.ofMillis(100));
        HttpClient client = HttpClient.newHttpClient()) {
      listener.start();
      for (int i = 0; i < HttpListener.MAX_REQUESTS; i++) {
        deaf.add(deaf(listener));
      }
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .ignoreExceptions()
          .until(() -> get(client, listener, "/more").get().statusCode() == 200);
    } finally {
      for (Socket each : deaf) {
        each.close();
      }
    }
  }

  /** Connects a peer that requests more than the sockets of both sides hold. */
  private static Socket deaf(HttpListener listener) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4_096);
    socket.connect(listener.address());
    socket
        .getOutputStream()
        .write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
    return socket;
  }

  @Test
  void failureIsAnsweredAndTheNextRequestToo() throws Exception {
    try (HttpListener listener =
            new HttpListener(
                FREE,
                "test-",
                request -> {
                  if (request.uri().getPath().equals("/wrong")) {
                    throw new IllegalStateException("a bug");
                  }
                  return Answer.ok("done");
                });
        HttpClient client = HttpClient.newHttpClient();
        CapturedLog log = CapturedLog.of(HttpListener.class)) {
      listener.start();
      HttpResponse<String> failed = get(client, listener, "/wrong").get();
      assertThat(failed.statusCode()).isEqualTo(500);
      assertThat(failed.body()).contains("INTERNAL_ERROR").doesNotContain("a bug");
      assertThat(log.lines())
          .containsExactly("ERROR failed to answer GET /wrong (0 more since): a bug");
      assertThat(get(client, listener, "/right").get().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void headIsAnsweredAsGetWithoutTheBody() throws Exception {
    try (HttpListener listener =
        new HttpListener(FREE, "test-", request -> Answer.ok(request.method()))) {
      listener.start();
      try (Socket socket = new Socket()) {
        socket.connect(listener.address());
        byte[] head =
            "HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(US_ASCII);
        socket.getOutputStream().write(head);
        String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
        assertThat(answer).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
      }
    }
  }

  @Test
  void refusedMethodIsAnsweredWithTheAllowedMethods() throws Exception {
    try (HttpListener listener =
            new HttpListener(
                FREE, "test-", request -> Answer.methodNotAllowed(request.method(), "POST"));
        HttpClient client = HttpClient.newHttpClient()) {
      listener.start();
      HttpResponse<String> refused = get(client, listener, "/").get();
      assertThat(refused.statusCode()).isEqualTo(405);
      assertThat(refused.headers().firstValue("Allow")).hasValue("POST");
      assertThat(refused.body()).contains("GET is not supported here; allowed: POST");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Such a page could stop a server: browsers send a preflight only for unusual headers. */
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
    assertThat(Answer.methodNotAllowed("PUT", "GET").status()).isEqualTo(405);
  }

  @Test
  void serverThatStartsOrDrainsIsNotToBeUsed() {
    assertThat(Status.UP.httpStatus()).isEqualTo(200);
    assertThat(Status.DEGRADED.httpStatus()).isEqualTo(200);
    assertThat(Status.STARTING.httpStatus()).isEqualTo(503);
    assertThat(Status.DRAINING.httpStatus()).isEqualTo(503);
  }

  /** Half a request held its connection, and a file descriptor, forever. */
  @Test
  void requestThatIsNotCompleteInTimeLosesItsConnection() throws Exception {
    try (HttpListener listener = new HttpListener(FREE, "test-", _ -> Answer.ok("done"))) {
      listener.start();
      List<Socket> sockets = new ArrayList<>();
      for (String half :
          List.of(
              "",
              "GET / HT",
              "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf")) {
        Socket socket = new Socket();
        socket.connect(listener.address());
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(half.getBytes(US_ASCII));
        sockets.add(socket);
      }
      for (Socket socket : sockets) {
        assertThat(socket.getInputStream().readAllBytes()).as("until its end").isNotNull();
        socket.close();
      }
    }
  }
}
