package dev.chatflow.broker.testing;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** RabbitMQ's management API over HTTP. Any thread may call; calls block. */
final class ManagementApi implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final URI base;

  ManagementApi(URI base) {
    if (base.getRawUserInfo() == null || base.getPort() < 0) {
      throw new IllegalArgumentException(
          "management URL must be http://user:password@host:port, not " + base);
    }
    this.base = base;
  }

  String host() {
    return base.getHost();
  }

  String userInfo() {
    return base.getRawUserInfo();
  }

  static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }

  JsonElement get(String path) {
    return JsonParser.parseString(send(request(path).GET().build()).body());
  }

  void put(String path, String json) {
    send(request(path).PUT(BodyPublishers.ofString(json)).build());
  }

  void delete(String path) {
    send(request(path).DELETE().build());
  }

  private HttpRequest.Builder request(String path) {
    String credentials =
        Base64.getEncoder().encodeToString(base.getUserInfo().getBytes(StandardCharsets.UTF_8));
    String root = "http://%s:%d/api/".formatted(host(), base.getPort());
    return HttpRequest.newBuilder(URI.create(root + path))
        .timeout(TIMEOUT)
        .header("Authorization", "Basic " + credentials)
        .header("Content-Type", "application/json");
  }

  /** Sends a request. A deletion of a missing object (404) succeeds. */
  private HttpResponse<String> send(HttpRequest request) {
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      boolean gone = request.method().equals("DELETE");
      if (response.statusCode() >= 300 && !(gone && response.statusCode() == 404)) {
        throw new IllegalStateException(request + ": " + response + " " + response.body());
      }
      return response;
    } catch (IOException e) {
      throw new UncheckedIOException("no answer from " + request, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
