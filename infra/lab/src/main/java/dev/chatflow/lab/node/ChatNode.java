package dev.chatflow.lab.node;

import com.google.gson.JsonObject;
import dev.chatflow.server.launch.LaunchedWar;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.Awaitility;

/** A server as a process, which restarts on the same port. */
public final class ChatNode implements Node {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private final Path directory;
  private final String heap;
  private final Map<String, String> settings;
  private LaunchedWar process;
  private final int port;
  private String earlier = "";

  private ChatNode(Path directory, String heap, Map<String, String> settings) throws IOException {
    this.directory = directory;
    this.heap = heap;
    this.settings = settings;
    process = launch(0);
    awaitReady();
    port = URI.create(process.url(1, "health").orElseThrow()).getPort();
  }

  private LaunchedWar launch(int at) throws IOException {
    return LaunchedWar.start(
        directory, heap, settings, "--port", Integer.toString(at), "--admin-port", "0");
  }

  /** Starts a server and waits until it is ready. */
  public static ChatNode start(Path directory, String id, URI broker, Map<String, String> settings)
      throws IOException {
    return start(directory, id, LaunchedWar.HEAP, broker, settings);
  }

  /** Starts a server with this {@code -Xmx} and waits until it is ready. */
  public static ChatNode start(
      Path directory, String id, String heap, URI broker, Map<String, String> settings)
      throws IOException {
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("CHATFLOW_SERVER_ID", id);
    environment.put("CHATFLOW_AMQP_URI", broker.toString());
    return new ChatNode(directory, heap, environment);
  }

  @Override
  public int port() {
    return port;
  }

  public ProcessHandle handle() {
    return process.handle();
  }

  private void awaitReady() {
    Awaitility.await("server ready").atMost(PATIENCE).until(process::isReady);
  }

  /** Kills the process. */
  public void kill() {
    process.kill();
  }

  /** Freezes the process. */
  public void freeze() throws IOException, InterruptedException {
    process.signal("STOP");
  }

  /** Ends {@link #freeze}. */
  public void thaw() throws IOException, InterruptedException {
    process.signal("CONT");
  }

  public boolean isAlive() {
    return process.handle().isAlive();
  }

  /** Waits for the end of the process and returns its exit status. */
  public int awaitExit() throws InterruptedException {
    return process.awaitExit();
  }

  /** Requests a drain and a stop, and waits for the end. */
  public void stop() throws InterruptedException {
    process.terminate();
    process.awaitExit();
  }

  /** Requests a drain without a stop; returns at once. */
  public void drain() throws IOException {
    Json.post(adminPort(), "/drain");
  }

  /** Returns the statistics of the admin port, which also servers with tokens report. */
  @Override
  public JsonObject stats() throws IOException {
    return Json.get(adminPort(), "/api/stats");
  }

  /** Returns the newest frame of a room. */
  public JsonObject newest(int room) throws IOException {
    return Json.get(port, past(room)).getAsJsonArray("messages").get(0).getAsJsonObject();
  }

  /** Returns whether a room's past includes this frame. */
  public boolean keeps(int room, JsonObject frame) throws IOException {
    String before = URLEncoder.encode(frame.toString(), StandardCharsets.UTF_8);
    return Json.get(port, past(room) + "&before=" + before).has("messages");
  }

  /** Mutes a user of a room with a moderator's token; for no time, ends the mute. */
  public void mute(String room, String user, Duration time, String token) {
    String method = time.isZero() ? "DELETE" : "PUT";
    String path = "/api/rooms/" + room + "/mutes/" + user;
    String body = "{\"seconds\":" + time.toSeconds() + "}";
    Awaitility.await("the shard is read") // after a restart
        .atMost(PATIENCE)
        .until(() -> Json.change(port, method, path, body, token));
  }

  private static String past(int room) {
    return "/api/rooms/" + room + "/messages?last=1";
  }

  private int adminPort() {
    return URI.create(process.url(1, "admin").orElseThrow()).getPort();
  }

  /** Restarts the server after {@link #kill} or {@link #stop}. */
  public void startAgain() throws IOException {
    earlier += process.output();
    process.close();
    process = launch(port);
    awaitReady();
  }

  /** Returns the time between two of its log lines of the same day. */
  public Duration between(String first, String second) {
    return Duration.between(timeOf(first), timeOf(second));
  }

  private LocalTime timeOf(String part) {
    String line = output().lines().filter(l -> l.contains(part)).findFirst().orElseThrow();
    return LocalTime.parse(line.substring(0, "12:34:56.789".length()));
  }

  @Override
  public String output() {
    return earlier + process.output();
  }

  @Override
  public void close() throws IOException {
    process.close();
  }
}
