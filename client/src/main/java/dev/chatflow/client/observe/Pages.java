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
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Requests pages of servers and of the standalone consumer. Stateless. */
final class Pages {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration SETTINGS_TIMEOUT = Duration.ofSeconds(1);

  private Pages() {}

  /**
   * Creates a client for HTTP and HTTPS, version 1.1, because brokers end idle connections of
   * version 2.
   *
   * @param certificates trusted certificates; null for the system's
   */
  static HttpClient client(Duration timeout, @Nullable SSLContext certificates) {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
    return (certificates == null ? builder : builder.sslContext(certificates)).build();
  }

  /** Returns the body of a page; throws an {@link IOException} for a status other than 200. */
  static String get(HttpClient http, URI page, Duration timeout)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(page).timeout(timeout).build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("HTTP " + answer.statusCode());
    }
    return answer.body();
  }

  /** Returns the statistics of the standalone consumer: {@code /api/stats} at its address. */
  static JsonObject statistics(URI consumer, @Nullable SSLContext certificates)
      throws IOException, InterruptedException {
    String base = consumer.toString().replaceFirst("/+$", "");
    URI page = URI.create(base.endsWith("/api/stats") ? base : base + "/api/stats");
    try (HttpClient http = client(TIMEOUT, certificates)) {
      return JsonParser.parseString(get(http, page, TIMEOUT)).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) {
      throw new IOException("not a JSON object", e);
    }
  }

  /**
   * Returns the settings of a server by name, from the page next to its metrics; empty without such
   * a page.
   */
  static Map<String, String> settings(URI metrics, @Nullable SSLContext certificates)
      throws InterruptedException {
    Map<String, String> settings = new TreeMap<>();
    try (HttpClient http = client(SETTINGS_TIMEOUT, certificates)) {
      String body = get(http, metrics.resolve("settings"), SETTINGS_TIMEOUT);
      if (JsonParser.parseString(body) instanceof JsonObject json) {
        json.asMap()
            .forEach((name, value) -> {
              if (value.isJsonPrimitive()) {
                settings.put(name, value.getAsString());
              }
            });
      }
    } catch (IOException | JsonParseException e) {
      return Map.of(); // the metrics page of the same server reports the reason
    }
    return settings;
  }
}
