package dev.chatflow.server;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Controls headless Chromium through its DevTools protocol. The environment variable {@value
 * #VARIABLE} may name the program; otherwise it is found in the path.
 *
 * <p>All tests of a JVM share one process; each Browser has its own connection and tabs. One thread
 * sends commands; the thread of the protocol receives answers and complaints.
 */
final class Browser implements WebSocket.Listener, AutoCloseable {

  private static final String VARIABLE = "CHATFLOW_TEST_CHROMIUM";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Gson JSON = new Gson();
  private static final List<String> OPTIONS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--ignore-certificate-errors",
          "--remote-debugging-port=0");

  private final AtomicLong lastId = new AtomicLong();
  private final Map<Long, CompletableFuture<JsonObject>> commands = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();
  private final StringBuilder pieces = new StringBuilder();
  private final List<String> people = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final WebSocket devTools;

  private Browser(URI address) {
    devTools = http.newWebSocketBuilder().buildAsync(address, this).join();
  }

  /** The process that all tests share, from the first test to the end of the JVM. */
  private static final class Shared {
    private static @Nullable Shared instance;
    private final Path profile;
    private final Process process;
    private final URI address;

    static synchronized Shared get() {
      if (instance == null) {
        instance = new Shared();
      }
      return instance;
    }

    private Shared() {
      try {
        profile = Files.createTempDirectory("chatflow-browser-");
        List<String> command = new ArrayList<>(List.of(String.valueOf(program())));
        command.addAll(OPTIONS);
        command.add("--user-data-dir=" + profile);
        command.add("about:blank");
        process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Runtime.getRuntime().addShutdownHook(new Thread(this::end));
      address = awaitAddress();
    }

    /** Reads the file in which the browser writes port and path. */
    private URI awaitAddress() {
      Path file = profile.resolve("DevToolsActivePort");
      List<String> lines =
          Awaitility.await("browser started")
              .atMost(PATIENCE)
              .until(
                  () -> Files.exists(file) ? Files.readAllLines(file) : List.of(),
                  l -> l.size() == 2);
      return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
    }

    private void end() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
      try (Stream<Path> files = Files.walk(profile)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns whether a browser is installed, for JUnit's conditions. */
  static boolean isInstalled() {
    return program() != null;
  }

  static Browser start() {
    return new Browser(Shared.get().address);
  }

  private static @Nullable Path program() {
    String named = System.getenv(VARIABLE);
    return named != null
        ? Path.of(named)
        : Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .flatMap(folder ->
                Stream.of("chromium-headless-shell", "chromium", "chromium-browser")
                    .map(Path.of(folder)::resolve))
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
  }

  /** Opens a tab with separate storage, as in another person's browser. */
  Tab open(URI page) {
    String person = text(command("Target.createBrowserContext", Map.of()), "browserContextId");
    people.add(person);
    String target =
        text(
            command(
                "Target.createTarget", Map.of("url", "about:blank", "browserContextId", person)),
            "targetId");
    Map<String, Object> attach = Map.of("targetId", target, "flatten", true);
    Tab tab = new Tab(text(command("Target.attachToTarget", attach), "sessionId"));
    tab.command("Log.enable", Map.of());
    tab.command("Runtime.enable", Map.of());
    tab.command("Page.enable", Map.of());
    tab.command("Page.navigate", Map.of("url", page.toString()));
    tab.await("document.readyState === 'complete' && location.href !== 'about:blank'");
    return tab;
  }

  /** Returns the complaints of all pages: violations of their policy and uncaught failures. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  private JsonObject command(String method, Map<String, ?> parameters) {
    return command(null, method, parameters);
  }

  private JsonObject command(@Nullable String session, String method, Map<String, ?> parameters) {
    long id = lastId.incrementAndGet();
    JsonObject command = new JsonObject();
    command.addProperty("id", id);
    command.addProperty("method", method);
    if (session != null) {
      command.addProperty("sessionId", session);
    }
    JsonObject values = new JsonObject();
    parameters.forEach((name, value) -> values.add(name, json(value)));
    command.add("params", values);
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    commands.put(id, answer);
    devTools.sendText(command.toString(), true).join();
    JsonObject got = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    if (got.has("error")) {
      throw new IllegalStateException(method + ": " + got.get("error"));
    }
    return got.getAsJsonObject("result");
  }

  private static JsonElement json(Object value) {
    return JSON.toJsonTree(value);
  }

  private static String text(JsonObject object, String name) {
    return object.get(name).getAsString();
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    pieces.append(data);
    if (last) {
      take(JsonParser.parseString(pieces.toString()).getAsJsonObject());
      pieces.setLength(0);
    }
    from.request(1);
    return null;
  }

  private void take(JsonObject said) {
    if (said.has("id")) {
      CompletableFuture<JsonObject> waiting = commands.remove(said.get("id").getAsLong());
      if (waiting != null) {
        waiting.complete(said);
      }
      return;
    }
    String method = text(said, "method");
    boolean policy = method.equals("Log.entryAdded") && said.toString().contains("Security Policy");
    if (policy || method.equals("Runtime.exceptionThrown")) {
      complaints.add(said.getAsJsonObject("params").toString());
    }
  }

  @Override
  public void onError(WebSocket from, Throwable failure) {
    commands.values().forEach(waiting -> waiting.completeExceptionally(failure));
  }

  /** Closes its tabs. */
  @Override
  public void close() {
    people.forEach(
        person -> command("Target.disposeBrowserContext", Map.of("browserContextId", person)));
    devTools.abort();
    http.shutdownNow();
  }

  /** One page of one user. */
  final class Tab {
    private final String session;

    private Tab(String session) {
      this.session = session;
    }

    private JsonObject command(String method, Map<String, ?> parameters) {
      return Browser.this.command(session, method, parameters);
    }

    /** Returns the value of an expression, after its promises. A failure fails the test. */
    JsonElement evaluate(String expression) {
      return evaluate(expression, Map.of());
    }

    /** Evaluates in the page's first frame: its document, not its scripts' variables. */
    JsonElement evaluateWithin(String expression) {
      JsonObject frame =
          command("Page.getFrameTree", Map.of())
              .getAsJsonObject("frameTree")
              .getAsJsonArray("childFrames")
              .get(0)
              .getAsJsonObject()
              .getAsJsonObject("frame");
      JsonObject world = command("Page.createIsolatedWorld", Map.of("frameId", text(frame, "id")));
      return evaluate(expression, Map.of("contextId", world.get("executionContextId").getAsInt()));
    }

    private JsonElement evaluate(String expression, Map<String, Object> where) {
      Map<String, Object> parameters = new HashMap<>(where);
      parameters.put("expression", expression);
      parameters.put("returnByValue", true);
      parameters.put("awaitPromise", true);
      JsonObject answer = command("Runtime.evaluate", parameters);
      if (answer.has("exceptionDetails")) {
        throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
      }
      JsonElement value = answer.getAsJsonObject("result").get("value");
      return value == null ? new JsonObject() : value;
    }

    /** Waits for a condition on the page, which may be loading until then. */
    void await(String condition) {
      Awaitility.await(condition)
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .ignoreException(IllegalStateException.class) // there is no page between two
          .until(() -> isLoaded() && evaluate(condition).getAsBoolean());
    }

    private boolean isLoaded() {
      return evaluate("document.readyState !== 'loading'").getAsBoolean();
    }

    /** Returns the text of each element that a selector matches. */
    List<String> texts(String selector) {
      JsonArray found =
          evaluate("[...document.querySelectorAll('" + selector + "')].map(e => e.textContent)")
              .getAsJsonArray();
      return found.asList().stream().map(JsonElement::getAsString).toList();
    }

    /** Sets the size of the window in CSS pixels; a phone has a touch screen. */
    void size(int width, int height, boolean isPhone) {
      command(
          "Emulation.setDeviceMetricsOverride",
          Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", isPhone));
    }

    /** Sets the preferred colour scheme, light or dark. */
    void scheme(String scheme) {
      command(
          "Emulation.setEmulatedMedia",
          Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Returns a PNG of the window. */
    byte[] picture() {
      JsonObject shot = command("Page.captureScreenshot", Map.of("format", "png"));
      return Base64.getDecoder().decode(text(shot, "data"));
    }

    /** Types into the focused element. */
    void type(String text) {
      command("Input.insertText", Map.of("text", text));
    }

    /** Presses a key on the focused element: Enter, Tab, Escape or Space. */
    void press(String key) {
      String text = key.equals("Enter") ? "\r" : key.equals("Space") ? " " : "";
      int code = Map.of("Enter", 13, "Escape", 27, "Space", 32).getOrDefault(key, 9);
      String name = key.equals("Space") ? " " : key;
      Map<String, Object> down =
          Map.of(
              "type",
              "keyDown",
              "key",
              name,
              "code",
              key,
              "windowsVirtualKeyCode",
              code,
              "text",
              text);
      command("Input.dispatchKeyEvent", down);
      command(
          "Input.dispatchKeyEvent",
          Map.of("type", "keyUp", "key", name, "code", key, "windowsVirtualKeyCode", code));
    }
  }
}
