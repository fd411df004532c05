package dev.chatflow.client.observe;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered to the question for its health.
 *
 * @param reachable whether anything answered
 * @param healthy 2xx, or an answer of a server that has no such page
 * @param description status and version, or the reason
 */
public record ServerHealth(URI page, boolean reachable, boolean healthy, String description) {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * Asks until the server is healthy or {@code patience} is over; zero patience asks once.
   *
   * @param certificates what the server's certificate is checked against; null: the system's
   */
  public static ServerHealth await(URI page, Duration patience, @Nullable SSLContext certificates)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    ServerHealth health = ask(page, certificates);
    while (!health.healthy && System.nanoTime() < deadline) {
      LockSupport.parkNanos(PAUSE_NANOS);
      health = ask(page, certificates);
    }
    return health;
  }

  /** The first of these that is not healthy, as a sentence. */
  public static Optional<String> complaint(List<ServerHealth> servers) {
    return servers.stream()
        .filter(server -> !server.healthy)
        .findFirst()
        .map(server -> "target " + server.page + ": " + server.description);
  }

  private static ServerHealth ask(URI page, @Nullable SSLContext certificates)
      throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(page).timeout(TIMEOUT).GET().build();
    try (HttpClient client = Pages.client(TIMEOUT, certificates)) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      int status = response.statusCode();
      boolean healthy = status / 100 == 2 || status / 100 == 4;
      return new ServerHealth(page, true, healthy, describe(status, response.body()));
    } catch (SSLException e) {
      return new ServerHealth(
          page,
          false,
          false,
          "certificate not trusted: "
              + e.getMessage()
              + "; --cacert names a file with its issuer, --insecure takes any");
    } catch (IOException e) {
      return new ServerHealth(
          page, false, false, "not reachable (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static String describe(int status, String body) {
    try {
      if (status / 100 != 4 && JsonParser.parseString(body) instanceof JsonObject json) {
        return text(json, "status") + " " + text(json, "serverId") + " " + text(json, "version");
      }
    } catch (JsonParseException | IllegalStateException e) {
      return "HTTP " + status; // a page of some other form
    }
    return "HTTP " + status;
  }

  private static String text(JsonObject json, String name) {
    return json.has(name) && json.get(name).isJsonPrimitive() ? json.get(name).getAsString() : "-";
  }
}
