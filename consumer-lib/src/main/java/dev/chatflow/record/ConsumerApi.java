package dev.chatflow.record;

import com.google.gson.Gson;
import com.google.gson.JsonSyntaxException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Queries a running standalone consumer over HTTP. One thread. */
final class ConsumerApi implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final URI url;
  private final Gson gson = new Gson();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

  ConsumerApi(URI url) {
    this.url = url;
  }

  /**
   * Returns the answer for a path.
   *
   * @throws IllegalStateException if there is no answer, with the reason
   */
  <T> T ask(String path, Class<T> form) {
    URI page = url.resolve(path);
    try {
      HttpRequest request = HttpRequest.newBuilder(page).timeout(TIMEOUT).build();
      var response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != HttpURLConnection.HTTP_OK) {
        throw cannot(page + " answers " + response.statusCode(), null);
      }
      return gson.fromJson(response.body(), form);
    } catch (IOException e) {
      throw cannot(page + " does not answer: " + e, e);
    } catch (JsonSyntaxException e) {
      throw cannot(page + " does not answer like a standalone consumer: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw cannot("interrupted", e);
    }
  }

  private static IllegalStateException cannot(String why, @Nullable Exception cause) {
    return new IllegalStateException("cannot compare: " + why, cause);
  }

  @Override
  public void close() {
    http.close();
  }
}
