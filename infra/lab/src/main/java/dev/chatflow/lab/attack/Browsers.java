package dev.chatflow.lab.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Pages of strangers in the browser of somebody who reaches a server, and the curious. */
final class Browsers {

  static final List<Attack> ALL =
      List.of(
          new Attack(
              "foreign-page",
              "opens a WebSocket as a page of another origin, of none, and of a name made to lead"
                  + " to this machine",
              Browsers::foreignPage),
          new Attack(
              "foreign-post",
              "the same with a post and a look at the rooms",
              Browsers::foreignPost),
          new Attack(
              "foreign-drain",
              "a page of another origin posts `/drain` to the admin port",
              Browsers::foreignDrain),
          new Attack(
              "leaks",
              "asks for what is not there, or not right, and reads the errors; asks for classes and"
                  + " the inside of the WAR",
              Browsers::leaks),
          new Attack(
              "other-spelling",
              "asks for the page by another spelling of its path, which names another host as its server",
              Browsers::otherSpelling));

  private Browsers() {}

  /** What browsers write for pages that are not the server's own. */
  private static List<List<String>> foreign(int port) {
    String rebound = "rebound.example:" + port;
    return List.of(
        List.of("Origin: https://evil.example"),
        List.of("Origin: null"),
        List.of("Host: " + rebound, "Origin: http://" + rebound),
        List.of("Host: " + rebound));
  }

  static String foreignPage(Arena arena) throws IOException {
    int port = arena.server(Map.of()).port();
    List<String> got = new ArrayList<>();
    for (List<String> lines : foreign(port)) {
      if (isServed(port, lines)) {
        got.add("served with " + lines);
      }
    }
    return String.join("; ", got);
  }

  /**
   * Whether a page could join. A browser hides the status of a handshake, so the reason may come in
   * a close frame.
   */
  private static boolean isServed(int port, List<String> lines) throws IOException {
    try (Wire wire = Wire.open(port, "page", lines.toArray(String[]::new))) {
      wire.join(17);
      return true;
    } catch (IOException _) { // no upgrade, or closed at once
      return false;
    }
  }

  static String otherSpelling(Arena arena) throws IOException {
    int port = arena.server(Map.of()).port();
    List<String> got = new ArrayList<>();
    for (String path :
        List.of("//evil.example/..;/rooms/5", "//rooms/5", "/rooms;a=b/5", "/a/../rooms/5")) {
      int status = Wire.ask(port, Wire.request("GET", path, "")).status();
      if (status != 404) {
        got.add(status + " for " + path);
      }
    }
    return String.join("; ", got);
  }

  static String foreignPost(Arena arena) throws IOException {
    int port = arena.server(Map.of()).port();
    String text = Wire.message("TEXT", 17, "hello", "foreign-post");
    List<String> got = new ArrayList<>();
    for (List<String> lines : foreign(port)) {
      String[] headers = lines.toArray(String[]::new);
      int posted =
          Wire.ask(port, Wire.request("POST", "/api/rooms/page/messages", text, headers)).status();
      int read = Wire.ask(port, Wire.request("GET", "/api/rooms", "", headers)).status();
      if (posted != 403 || read != 403) {
        got.add("POST " + posted + ", GET " + read + " with " + lines);
      }
    }
    return String.join("; ", got);
  }

  static String foreignDrain(Arena arena) throws IOException {
    // Of its own: one that drains is of no use to the others.
    Arena.Server server = arena.server(Map.of("CHATFLOW_SERVER_ID", "drained"));
    for (List<String> lines : foreign(server.adminPort())) {
      Wire.ask(
          server.adminPort(), Wire.request("POST", "/drain", "", lines.toArray(String[]::new)));
    }
    String health = Wire.ask(server.port(), Wire.request("GET", "/health", "")).body();
    return health.contains("\"UP\"") ? "" : "the server says " + health;
  }

  static String leaks(Arena arena) throws IOException {
    int port = arena.server(Map.of()).port();
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
      Wire.Answer answer = Wire.ask(port, Wire.request("GET", path, ""));
      String all = answer.head() + answer.body();
      if (answer.status() < 400) {
        got.add(path + " is answered with " + answer.status());
      } else if (all.contains("Tomcat") || all.contains("tomcat") || all.contains("\tat ")) {
        got.add(path + " tells what the server is made of");
      }
    }
    return String.join("; ", got);
  }
}
