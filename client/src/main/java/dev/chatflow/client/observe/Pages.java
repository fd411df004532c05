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

/** Asks pages of servers and of the standalone consumer. Stateless. */
final class Pages {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration SETTINGS_TIMEOUT = Duration.ofSeconds(1);

  private Pages() {}

  /**
   * A client for HTTP and HTTPS, version 1.1: brokers end idle connections of version 2.
   *
   * @param certificates what a page's certificate is checked against; null: the system's
   */
  static HttpClient client(Duration timeout, @Nullable SSLContext certificates) {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout);
    return (certificates == null ? builder : builder.sslContext(certificates)).build();
  }

  /** The body of a page. Any status but 200 is an {@link IOException}. */
  static String get(HttpClient http, URI page, Duration timeout)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(page).timeout(timeout).build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("HTTP " + answer.statusCode());
    }
    return answer.body();
  }

  /** The statistics of the standalone consumer: {@code /api/stats} below its address. */
  static JsonObject statistics(URI consumer, @Nullable SSLContext certificates)
      throws IOException, InterruptedException {
    String base = consumer.toString().replaceFirst("/+$", "");
    URI page = URI.create(base.endsWith("/api/stats") ? base : base + "/api/stats");
    try (HttpClient http = client(TIMEOUT, certificates)) {
      return JsonParser.parseString(get(http, page, TIMEOUT)).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) {
      throw new IOException("no JSON object", e);
    }
  }

  /**
   * Every setting of a server by its name, from the page next to its metrics; nothing from a server
   * that has no such page.
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
