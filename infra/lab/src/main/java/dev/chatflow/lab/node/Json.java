package dev.chatflow.lab.node;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Reads JSON over HTTP from a local process. */
final class Json {

  private static final int UNAVAILABLE = 503;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  private Json() {}

  static JsonObject get(int port, String path) throws IOException {
    return JsonParser.parseString(send(request(port, path).GET())).getAsJsonObject();
  }

  static void post(int port, String path) throws IOException {
    send(request(port, path).POST(HttpRequest.BodyPublishers.noBody()));
  }

  /** Sends a request; false if the server cannot serve it yet. */
  static boolean change(int port, String method, String path, String body, String token)
      throws IOException {
    HttpResponse<String> answer =
        answer(
            request(port, path)
                .header("Authorization", "Bearer " + token)
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    int status = answer.statusCode();
    if (status / 100 != 2 && status != UNAVAILABLE) {
      throw new IOException(method + " " + path + ": " + status + " " + answer.body());
    }
    return status != UNAVAILABLE;
  }

  private static HttpRequest.Builder request(int port, String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return HttpRequest.newBuilder(uri).timeout(PATIENCE);
  }

  private static String send(HttpRequest.Builder request) throws IOException {
    return answer(request).body();
  }

  private static HttpResponse<String> answer(HttpRequest.Builder request) throws IOException {
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
