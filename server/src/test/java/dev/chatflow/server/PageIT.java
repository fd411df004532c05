package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.testing.EmbeddedTest;
import dev.chatflow.broker.testing.TestBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Tests the HTTP answers that deliver the page; {@link PageChatIT} uses the page. */
class PageIT {

  private static final Pattern LINK =
      Pattern.compile("(?:src|href|from) ?=? ?[\"']([^\"'\n]*)[\"']");

  @EmbeddedTest
  void pageIsTheSameAtTheRootAndInEveryRoom(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      String page = body(server, "/");
      assertThat(page).startsWith("<!doctype html>").contains("<title>ChatFlow</title>");
      for (String room : List.of("5", "Lobby_2-b", "x".repeat(64), "%35")) {
        assertThat(body(server, "/rooms/" + room)).isEqualTo(page);
      }
    }
  }

  @EmbeddedTest
  void invalidRoomIsRejected(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      for (String room :
          List.of("", "a.b", "index.html", "x".repeat(65), "a%20b", "5/6", "%3Cb%3E")) {
        HttpResponse<String> answer = server.get("/rooms/" + room);
        assertThat(answer.statusCode()).as(room).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("room id must be 1 to 64 of A-Z a-z 0-9 _ -");
        assertThat(header(answer, "Content-Type")).startsWith("text/plain");
      }
    }
  }

  /** Follows all links as a browser would, from both folders, including those in scripts. */
  @EmbeddedTest
  void everyLinkIsRelativeAndLeadsToAFileOfTheServer(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      for (String folder : List.of("/", "/rooms/")) {
        List<String> files =
            new ArrayList<>(links(body(server, folder.equals("/") ? "/" : "/rooms/5")));
        for (int next = 0; next < files.size(); next++) {
          String file = files.get(next);
          assertThat(file).matches("(\\./)?(lib/)?[a-z]+\\.(js|css|svg)");
          String prefix = file.startsWith("lib/") ? "lib/" : "";
          links(body(server, folder + file)).stream()
              .map(link -> prefix + link.replace("./", ""))
              .filter(link -> !files.contains(link))
              .forEach(files::add);
        }
        assertThat(files).contains("chatflow.css", "lib/protocol.js").hasSizeGreaterThan(11);
      }
    }
  }

  @EmbeddedTest
  void onlyFilesOfTheServerMayRunOrLoad(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      for (String path :
          List.of(
              "/", "/rooms/5", "/rooms/a.b", "/page.js", "/lib/room.js", "/rooms/chatflow.css")) {
        HttpResponse<String> answer = server.get(path);
        assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(answer, "Content-Security-Policy").split("; "))
            .containsExactlyInAnyOrder(
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self'",
                "connect-src 'self'",
                "img-src 'self'",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'");
      }
      String page = body(server, "/");
      assertThat(page).doesNotContain("<style", "style=", "javascript:", "onclick");
      assertThat(page).doesNotContainPattern("<script(?![^>]* src=)");
    }
  }

  @EmbeddedTest
  void plainRequestToTheEndpointLeadsToThePage(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one")) {
      HttpResponse<String> answer = server.get("/chat/5");
      assertThat(answer.statusCode()).isEqualTo(302);
      assertThat(header(answer, "Location")).isEqualTo("../rooms/5");
    }
  }

  @EmbeddedTest
  void unchangedFilesAreNotSentAgain(TestBroker broker) throws Exception {
    try (TestServer server = TestServer.start(broker.uri(), "one");
        HttpClient http = HttpClient.newHttpClient()) {
      String tag = header(server.get("/page.js"), "ETag");
      URI script = URI.create("http://127.0.0.1:" + server.port() + "/rooms/page.js");
      for (String known : List.of(tag, "W/" + tag, "\"0\", " + tag)) {
        HttpRequest again = HttpRequest.newBuilder(script).header("If-None-Match", known).build();
        HttpResponse<String> answer = http.send(again, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(304);
        assertThat(answer.body()).isEmpty();
      }
    }
  }

  private static String body(TestServer server, String path) throws IOException {
    HttpResponse<String> answer = server.get(path);
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    assertThat(header(answer, "Cache-Control")).isEqualTo("no-cache");
    assertThat(header(answer, "ETag")).matches("\"[0-9a-f]{8}\"");
    return answer.body();
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static List<String> links(String text) {
    return LINK.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
