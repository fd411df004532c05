package dev.chatflow.lab.attack;

import com.google.gson.JsonParser;
import dev.chatflow.server.launch.LaunchedWar;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The packaged servers under attack: one per set of settings, started on first use. Belongs to one
 * thread.
 */
final class Arena implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** A running server. */
  record Server(int port, int adminPort) {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
      return get(port, path);
    }

    HttpResponse<String> admin(String path) throws IOException, InterruptedException {
      return get(adminPort, path);
    }

    private static HttpResponse<String> get(int port, String path)
        throws IOException, InterruptedException {
      URI uri = URI.create("http://127.0.0.1:" + port + path);
      return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Returns a count of {@code /api/stats}. */
    long stat(String name) throws IOException, InterruptedException {
      String stats = get("/api/stats").body();
      return JsonParser.parseString(stats).getAsJsonObject().get(name).getAsLong();
    }
  }

  private final Path directory;
  private final Map<Map<String, String>, Server> servers = new HashMap<>();
  private final List<LaunchedWar> started = new ArrayList<>();

  /** Creates an arena without servers. */
  Arena() throws IOException {
    directory = Files.createTempDirectory("chatflow-attack-");
  }

  /** Returns a folder that only this run uses. */
  Path directory() {
    return directory;
  }

  /** Returns a server with these settings and an embedded broker. */
  Server server(Map<String, String> settings) throws IOException {
    Server known = servers.get(settings);
    if (known == null) {
      LaunchedWar process = launch(directory, settings, "--port", "0", "--admin-port", "0");
      Awaitility.await("server ready").atMost(PATIENCE).until(process::isReady);
      known = new Server(port(process, "health"), port(process, "admin"));
      servers.put(settings, known);
    }
    return known;
  }

  /** Starts a server without waiting. */
  LaunchedWar launch(Path temporary, Map<String, String> settings, String... arguments)
      throws IOException {
    LaunchedWar process = LaunchedWar.start(temporary, settings, arguments);
    started.add(process);
    return process;
  }

  private static int port(LaunchedWar process, String label) {
    return URI.create(process.url(1, label).orElseThrow()).getPort();
  }

  @Override
  public void close() throws IOException {
    for (LaunchedWar process : started) {
      process.close();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
