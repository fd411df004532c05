package dev.chatflow.client.observe;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads RabbitMQ's management API for a load run. One thread at a time.
 *
 * <p>Fields may be absent, especially if the collection of metrics is off: then the figure is
 * {@code NaN}.
 */
final class BrokerApi implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final BrokerAddress address;
  private final HttpClient http;

  BrokerApi(BrokerAddress address, @Nullable SSLContext certificates) {
    http = Pages.client(TIMEOUT, certificates);
    this.address = address;
  }

  JsonObject overview() throws IOException, InterruptedException {
    return get("/api/overview").getAsJsonObject();
  }

  /** Returns the port of the AMQP listener. */
  int amqpPort() throws IOException, InterruptedException {
    for (JsonElement one : overview().getAsJsonArray("listeners")) {
      if (one.getAsJsonObject().get("protocol").getAsString().equals("amqp")) {
        return one.getAsJsonObject().get("port").getAsInt();
      }
    }
    throw new IOException("the management API reports no AMQP listener");
  }

  /** Returns the selected queues of the virtual host. */
  List<JsonObject> queues(Pattern chosen) throws IOException, InterruptedException {
    List<JsonObject> queues = new ArrayList<>();
    for (JsonElement one : array("/api/queues/" + virtualHost())) {
      JsonObject queue = one.getAsJsonObject();
      if (chosen.matcher(queue.get("name").getAsString()).matches()) {
        queues.add(queue);
      }
    }
    return queues;
  }

  /** Returns message counters: {@code publish} of the virtual host, others by queue. */
  Map<String, Double> counters(List<JsonObject> queues) throws IOException, InterruptedException {
    Map<String, Double> counters = new HashMap<>();
    put(counters, "publish", host(), "publish");
    for (JsonObject queue : queues) {
      String name = queue.get("name").getAsString();
      put(counters, "deliver/" + name, queue, "deliver_get");
      put(counters, "ack/" + name, queue, "ack");
    }
    return counters;
  }

  /** Adds a counter, which exists after the first message. */
  private static void put(
      Map<String, Double> counters, String name, JsonObject json, String counter) {
    if (json.get("message_stats") instanceof JsonObject stats
        && stats.get(counter) instanceof JsonPrimitive count) {
      counters.put(name, count.getAsDouble());
    }
  }

  /** Finds the virtual host in the list, because only administrators may read its own page. */
  private JsonObject host() throws IOException, InterruptedException {
    for (JsonElement one : array("/api/vhosts?columns=name,message_stats")) {
      JsonObject host = one.getAsJsonObject();
      if (host.get("name").getAsString().equals(address.virtualHost())) {
        return host;
      }
    }
    throw new IOException("this user must not read the virtual host " + address.virtualHost());
  }

  /** Returns memory and disk alarms as {@code node: alarm}. */
  List<String> alarms() throws IOException, InterruptedException {
    List<String> alarms = new ArrayList<>();
    for (JsonElement one : array("/api/nodes")) {
      for (String alarm : List.of("mem_alarm", "disk_free_alarm")) {
        if (one.getAsJsonObject().get(alarm) instanceof JsonPrimitive set && set.getAsBoolean()) {
          alarms.add(one.getAsJsonObject().get("name").getAsString() + ": " + alarm);
        }
      }
    }
    return alarms;
  }

  /** Returns the number of blocked connections. */
  long blocked() throws IOException, InterruptedException {
    long blocked = 0;
    for (JsonElement one : array("/api/connections?columns=state")) {
      boolean is =
          one instanceof JsonObject connection
              && connection.get("state") instanceof JsonPrimitive state
              && (state.getAsString().equals("blocked") || state.getAsString().equals("blocking"));
      blocked += is ? 1 : 0;
    }
    return blocked;
  }

  /** Returns a figure over all queues; {@code NaN} if none reports it. */
  static double sum(List<JsonObject> queues, String figure) {
    return queues.stream()
        .mapToDouble(queue -> number(queue, figure))
        .filter(value -> !Double.isNaN(value))
        .reduce(Double::sum)
        .orElse(Double.NaN);
  }

  private static double number(JsonObject json, String name) {
    return json.get(name) instanceof JsonPrimitive value ? value.getAsDouble() : Double.NaN;
  }

  /** Returns whether a queue is a stream, whose ready messages are all retained ones. */
  static boolean isStream(JsonObject queue) {
    return queue.get("type") instanceof JsonPrimitive type && type.getAsString().equals("stream");
  }

  /**
   * Returns the messages that channels of the virtual host have not acknowledged. For streams, only
   * channels report these.
   */
  double unacknowledged() throws IOException, InterruptedException {
    double sum = 0;
    String path = "/api/vhosts/" + virtualHost() + "/channels?columns=messages_unacknowledged";
    for (JsonElement one : array(path)) {
      double of = one instanceof JsonObject json ? number(json, "messages_unacknowledged") : 0;
      sum += Double.isNaN(of) ? 0 : of;
    }
    return sum;
  }

  private String virtualHost() {
    return URLEncoder.encode(address.virtualHost(), StandardCharsets.UTF_8);
  }

  private JsonArray array(String path) throws IOException, InterruptedException {
    return get(path).getAsJsonArray();
  }

  private JsonElement get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address.management() + path))
            .header("Authorization", address.authorization())
            .timeout(TIMEOUT)
            .build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("HTTP " + response.statusCode() + " from " + path);
    }
    try {
      JsonElement json = JsonParser.parseString(response.body());
      if (json.isJsonObject() || json.isJsonArray()) {
        return json;
      }
    } catch (JsonParseException e) {
      throw new IOException("no JSON from " + path, e);
    }
    throw new IOException("no JSON from " + path);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
