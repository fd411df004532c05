package dev.chatflow.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.identity.Access;
import dev.chatflow.server.edge.Gate;
import dev.chatflow.server.edge.TestEdge;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PageServletTest {

  private static final Gate GATE = TestEdge.gate(Access.open(), () -> 0);

  private static final Path FILES = Path.of("src", "main", "webapp");

  private PageServlet page;

  @BeforeEach
  void read() throws IOException {
    page = new PageServlet(application(FILES), GATE, "'none'");
  }

  private static ServletContext application(Path files) {
    return (ServletContext)
        Proxy.newProxyInstance(
            PageServletTest.class.getClassLoader(),
            new Class<?>[] {ServletContext.class},
            (_, _, arguments) -> file(files.resolve(((String) arguments[0]).substring(1))));
  }

  private static @Nullable InputStream file(Path path) throws IOException {
    return Files.exists(path) ? Files.newInputStream(path) : null;
  }

  private FakeExchange get(String servletPath, @Nullable String pathInfo) throws IOException {
    return ask(new FakeExchange("GET", servletPath, pathInfo));
  }

  private FakeExchange ask(FakeExchange exchange) throws IOException {
    page.doGet(exchange.request(), exchange.response());
    return exchange;
  }

  @Test
  void pageAndItsFilesAreServedAtTheRootAndNextToARoom() throws Exception {
    String html = get("", "/").text();
    assertThat(html).contains("<html");
    assertThat(get("/rooms", "/5").text()).isEqualTo(html);
    assertThat(get("/index.html", null).text()).isEqualTo(html);
    assertThat(get("/rooms", "/page.js").text()).isEqualTo(get("/page.js", null).text());
    assertThat(get("/chatflow.css", null).answered("Content-Type")).startsWith("text/css");
  }

  @Test
  void pageMayBeShownWithinThoseThatAreListed() throws Exception {
    page = new PageServlet(application(FILES), GATE, "https://app.example.com");
    assertThat(get("", "/").answered("Content-Security-Policy"))
        .endsWith("; frame-ancestors https://app.example.com");
  }

  @Test
  void documentsOfTheApiMayBeReadByAnyPage() throws Exception {
    FakeExchange document = get("/api/asyncapi.json", null);
    assertThat(document.text()).startsWith("{\n  \"asyncapi\": \"3.0.0\"");
    assertThat(document.answered("Content-Type")).startsWith("application/json");
    assertThat(document.answered("Access-Control-Allow-Origin")).isEqualTo("*");
    assertThat(get("/api/openapi.json", null).text()).contains("\"openapi\": \"3.1.0\"");
    assertThat(page.paths()).contains("/api/asyncapi.json", "/api/openapi.json");
    assertThat(get("/rooms", "/asyncapi.json").status()).isEqualTo(400);
  }

  @Test
  void invalidRoomIsReported() throws Exception {
    for (String path : new String[] {null, "/", "/a room", "/index.html", "/other.js"}) {
      FakeExchange wrong = get("/rooms", path);
      assertThat(wrong.status()).as(path).isEqualTo(400);
      assertThat(wrong.text()).isEqualTo(PostRequest.BAD_ROOM);
    }
  }

  @Test
  void browserThatHasTheFileIsNotSentItAgain() throws Exception {
    String tag = Objects.requireNonNull(get("/page.js", null).answered("ETag"));
    FakeExchange again =
        ask(new FakeExchange("GET", "/page.js", null).header("If-None-Match", "W/" + tag));
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.text()).isEmpty();
    FakeExchange older =
        ask(new FakeExchange("GET", "/page.js", null).header("If-None-Match", "\"0\""));
    assertThat(older.status()).isEqualTo(200);
    assertThat(older.answered("Content-Security-Policy")).startsWith("default-src 'none'");
  }

  /** The page's own relative links also lead to the library. */
  @Test
  void pagesOfAnyOriginMayLoadTheLibraryAndNothingElse() throws Exception {
    FakeExchange library = get("/lib/chatflow.js", null);
    assertThat(library.answered("Access-Control-Allow-Origin")).isEqualTo("*");
    assertThat(library.answered("Cross-Origin-Resource-Policy")).isEqualTo("cross-origin");
    assertThat(library.answered("Content-Type")).startsWith("text/javascript");
    assertThat(get("/rooms", "/lib/chatflow.js").text()).isEqualTo(library.text());
    assertThat(get("/page.js", null).answered("Access-Control-Allow-Origin")).isNull();
    assertThat(get("/rooms", "/lib/other.js").status()).isEqualTo(400);
    FakeExchange npm = get("/lib/chatflow-client.tgz", null);
    assertThat(npm.answered("Access-Control-Allow-Origin")).isEqualTo("*");
    assertThat(npm.bytes()).as("gzip").startsWith(0x1f, 0x8b);
  }

  @Test
  void everyFileOfThePageIsMapped() throws Exception {
    List<String> files;
    try (Stream<Path> all = Files.walk(FILES)) {
      files =
          all.filter(Files::isRegularFile)
              .map(file -> "/" + FILES.relativize(file).toString().replace('\\', '/'))
              .filter(file -> !file.startsWith("/WEB-INF"))
              .toList();
    }
    assertThat(page.paths()).containsAll(files).contains("", "/rooms/*");
  }

  @Test
  void fileThatIsMissingFailsTheStart() {
    assertThatThrownBy(() -> new PageServlet(application(Path.of("nowhere")), GATE, "'none'"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the web application has no ");
  }
}
