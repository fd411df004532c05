package dev.chatflow.lab.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Attacks that look for other users' data. */
final class Curious {

  static final List<Attack> ALL =
      List.of(
          new Attack(
              "spying",
              "requests rooms, members, messages and statistics without a token",
              Curious::spying),
          new Attack(
              "leaks",
              "sends invalid requests and reads the errors; requests classes and files inside"
                  + " the WAR",
              Curious::leaks));

  private Curious() {}

  static String spying(Arena arena) throws IOException, InterruptedException {
    Path key = arena.directory().resolve("secret.key");
    Files.write(key, "attack-attack-attack-attack-attack".getBytes(StandardCharsets.US_ASCII));
    Arena.Server server = arena.server(Map.of("CHATFLOW_TOKEN_KEYS", key.toString()));
    List<String> got = new ArrayList<>();
    for (String path :
        List.of(
            "/api/rooms",
            "/api/rooms/private",
            "/api/rooms/private/messages?last=10",
            "/api/stats",
            "/metrics")) {
      int status = server.get(path).statusCode();
      if (status < 400) {
        got.add(path + ": " + status);
      }
    }
    return String.join(", ", got);
  }

  static String leaks(Arena arena) throws IOException, InterruptedException {
    Arena.Server server = arena.server(Map.of());
    List<String> got = new ArrayList<>();
    for (String path :
        List.of(
            "/nowhere",
            "/%00",
            "/..%2f..%2fetc/passwd",
            "/chat/bad%20room",
            "/Main.class",
            "/dev/chatflow/server/ChatServer.class",
            "/WEB-INF/web.xml",
            "/META-INF/MANIFEST.MF")) {
      var answer = server.get(path);
      String all = answer.headers().map() + answer.body();
      if (answer.statusCode() < 400) {
        got.add(path + " gets " + answer.statusCode());
      } else if (all.contains("Tomcat") || all.contains("tomcat") || all.contains("\tat ")) {
        got.add(path + " shows internals of the server");
      }
    }
    return String.join("; ", got);
  }
}
