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

/** What a server is set to, from the page beside its metrics. Stateless. */
public final class SettingsPage {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private SettingsPage() {}

  /** Every setting by its name; nothing from a server that has no such page. */
  public static Map<String, String> beside(URI metrics, @Nullable SSLContext certificates)
      throws InterruptedException {
    URI page = metrics.resolve("settings");
    HttpRequest request = HttpRequest.newBuilder(page).timeout(TIMEOUT).build();
    try (HttpClient http = Pages.client(TIMEOUT, certificates)) {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 ? read(answer.body()) : Map.of();
    } catch (IOException e) {
      return Map.of(); // the metrics page of the same server tells the reason
    }
  }

  private static Map<String, String> read(String body) {
    Map<String, String> settings = new TreeMap<>();
    try {
      if (JsonParser.parseString(body) instanceof JsonObject json) {
        json.asMap()
            .forEach((name, value) -> {
              if (value.isJsonPrimitive()) {
                settings.put(name, value.getAsString());
              }
            });
      }
    } catch (JsonParseException e) {
      return Map.of(); // a page of some other form
    }
    return settings;
  }
}
