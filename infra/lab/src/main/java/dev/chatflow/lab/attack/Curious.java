package dev.chatflow.lab.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Strangers who look for things that are not theirs. */
final class Curious {

  static final List<Attack> ALL =
      List.of(
          new Attack(
              "spying",
              "asks for rooms, members, messages and statistics without a token",
              Curious::spying),
          new Attack(
              "leaks",
              "asks for what is not there, or not right, and reads the errors; asks for classes and"
                  + " the inside of the WAR",
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
        got.add(path + " is answered with " + answer.statusCode());
      } else if (all.contains("Tomcat") || all.contains("tomcat") || all.contains("\tat ")) {
        got.add(path + " shows what the server is made of");
      }
    }
    return String.join("; ", got);
  }
}
