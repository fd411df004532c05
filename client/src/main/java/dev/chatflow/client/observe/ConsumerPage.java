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
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Asks the standalone consumer for its statistics. Stateless. */
public final class ConsumerPage {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private ConsumerPage() {}

  /** The answer of {@code /api/stats} below the given address. */
  public static JsonObject ask(URI consumer, @Nullable SSLContext certificates)
      throws IOException, InterruptedException {
    String base = consumer.toString().replaceFirst("/+$", "");
    URI page = URI.create(base.endsWith("/api/stats") ? base : base + "/api/stats");
    HttpRequest request = HttpRequest.newBuilder(page).timeout(TIMEOUT).build();
    try (HttpClient http = Pages.client(TIMEOUT, certificates)) {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException("HTTP " + answer.statusCode());
      }
      return JsonParser.parseString(answer.body()).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) {
      throw new IOException("no JSON object", e);
    }
  }
}
