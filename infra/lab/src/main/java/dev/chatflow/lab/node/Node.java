package dev.chatflow.lab.node;

import com.google.gson.JsonObject;
import java.io.IOException;

/** A running server, in whichever Tomcat. */
public interface Node extends AutoCloseable {

  int port();

  @Override
  void close() throws IOException;

  /** Everything it logged. */
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
}
