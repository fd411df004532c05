package dev.chatflow.client.observe;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.ExitCode;
import dev.chatflow.client.transport.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The health of a server.
 *
 * @param reachable whether the server answered
 * @param healthy 2xx, or an answer of a server that has no such page
 * @param description status and version, or the reason
 */
public record ServerHealth(URI page, boolean reachable, boolean healthy, String description) {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * Requests the health until the server is healthy or {@code patience} is over; once with zero
   * patience.
   *
   * @param certificates trusted certificates; null for the system's
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

  /** Requires all servers to be healthy. */
  public static void requireHealthy(List<ServerHealth> servers) {
    for (ServerHealth server : servers) {
      if (!server.healthy) {
        throw new CommandFailure(
            ExitCode.UNREACHABLE, "target " + server.page + ": " + server.description);
      }
    }
  }

  private static ServerHealth ask(URI page, @Nullable SSLContext certificates)
      throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(page).timeout(TIMEOUT).GET().build();
    try (HttpClient client = Pages.client(TIMEOUT, certificates)) {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      int status = response.statusCode();
      boolean healthy = status / 100 == 2 || status / 100 == 4;
      return new ServerHealth(page, true, healthy, describe(status, response.body()));
    } catch (IOException e) {
      return new ServerHealth(page, false, false, "not reachable: " + Reason.of(e));
    }
  }

  private static String describe(int status, String body) {
    try {
      if (status / 100 != 4 && JsonParser.parseString(body) instanceof JsonObject json) {
        return text(json, "status") + " " + text(json, "serverId") + " " + text(json, "version");
      }
    } catch (JsonParseException | IllegalStateException e) {
      return "HTTP " + status; // a page in another format
    }
    return "HTTP " + status;
  }

  private static String text(JsonObject json, String name) {
    return json.has(name) && json.get(name).isJsonPrimitive() ? json.get(name).getAsString() : "-";
  }
}
