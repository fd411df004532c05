package dev.chatflow.lab.node;

import com.google.gson.JsonObject;
import dev.chatflow.support.Poll;
import java.io.IOException;
import java.time.Duration;

/** A running server, in any Tomcat. */
public interface Node extends AutoCloseable {

  int port();

  @Override
  void close() throws IOException;

  /** Returns its log. */
  String output();

  default String url() {
    return "ws://127.0.0.1:" + port() + "/chat";
  }

  default JsonObject stats() throws IOException {
    return Json.get(port(), "/api/stats");
  }

  default JsonObject health() throws IOException {
    return Json.get(port(), "/health");
  }

  /** Records a problem unless {@code /health} is UP, or is not, within 10 s. */
  default void expectHealth(boolean up, Problems problems) {
    boolean holds = Poll.everyMillis(200).until(() -> isUp() == up, Duration.ofSeconds(10));
    String state = up ? "is not UP 10 s after the fault" : "is UP 10 s into the fault";
    problems.unless(holds, "/health at port " + port() + " " + state);
  }

  private boolean isUp() {
    try {
      return health().get("status").getAsString().equals("UP");
    } catch (IOException _) {
      return false;
    }
  }
}
