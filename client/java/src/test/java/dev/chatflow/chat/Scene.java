package dev.chatflow.chat;

import com.google.gson.JsonObject;
import dev.chatflow.chat.link.FakeLoop;
import dev.chatflow.chat.link.FakeNet;
import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Reconnector;
import dev.chatflow.chat.link.Servers;
import dev.chatflow.chat.link.Tokens;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A room, its server and the events for the program. */
final class Scene implements Listener {

  /** A text that the program has already received. */
  static final Message MESSAGE = message(new Values.UserValue("4", "user4"), "c-m", Instant.EPOCH);

  final FakeLoop loop = new FakeLoop();
  final FakeNet net = new FakeNet();
  private final Servers servers;

  /** The events for the program, in order. */
  final List<String> events = new ArrayList<>();

  /** The tokens that the program returns. */
  final Deque<String> tokens = new ArrayDeque<>();

  /** The answers of the server about members, by query. It does not answer others. */
  final Map<String, String> members = new HashMap<>();

  /** The signals reported to the program. */
  final List<Signal> signals = new ArrayList<>();

  /** The gaps reported to the program. */
  final List<Room.Gap> gaps = new ArrayList<>();

  /** Pages of the server's history, by the id of the frame that each one ends before. */
  final Map<String, List<String>> pages = new HashMap<>();

  /** The number of following page requests that fail. */
  int failures;

  boolean isEnded;
  final RoomClient room;
  private final RoomClient.Setting setting;
  private final RoomClient.Around around;
  private int tokensMade;

  Scene() {
    this(
        new RoomClient.Setting("5", new Values.UserValue("17", "ann"), "", null, 50, 0, 3, 500),
        false);
  }

  Scene(RoomClient.Setting setting, boolean withTokens) {
    this(setting, withTokens, 0);
  }

  /** Creates a room on a machine whose clock is this many ms ahead of the server's. */
  Scene(RoomClient.Setting setting, boolean withTokens, long clockOffset) {
    this(setting, withTokens, clockOffset, new Servers(List.of(URI.create("http://host/"))));
  }

  /** Creates a room of a client that knows several servers. */
  Scene(Servers servers) {
    this(
        new RoomClient.Setting("5", new Values.UserValue("17", "ann"), "", null, 50, 0, 3, 500),
        false,
        0,
        servers);
  }

  private Scene(RoomClient.Setting setting, boolean withTokens, long clockOffset, Servers servers) {
    this.servers = servers;
    loop.clockOffset = clockOffset;
    Tokens source = new Tokens(withTokens ? this::token : null, loop.now(), loop::elapsed);
    around = around(source);
    this.setting = setting;
    room = joinAgain();
  }

  /** Creates the same room again, as after a leave, without entering it. */
  RoomClient joinAgain() {
    return joinAfter(null);
  }

  /** Creates the same room again. The program knows it up to this frame. */
  RoomClient joinAfter(@Nullable JsonObject after) {
    return new RoomClient(setting, loop, around, this, after);
  }

  private RoomClient.Around around(Tokens source) {
    return new RoomClient.Around() {
      @Override
      public Reconnector reconnector(Reconnector.Events on) {
        return new Reconnector(net, servers, "chat/5", source, loop, on);
      }

      @Override
      public JsonObject members(String query) throws IOException {
        String answer = members.get(query);
        if (answer == null) {
          throw new IOException("no answer");
        }
        return json(answer);
      }

      @Override
      public List<JsonObject> before(JsonObject name, int most) throws IOException {
        if (failures-- > 0) {
          throw new IOException("no answer");
        }
        List<String> page = pages.getOrDefault(Frames.text(name, "messageId"), List.of());
        return page.stream().map(Scene::json).toList();
      }

      @Override
      public void ended(RoomClient client) {
        isEnded = true;
      }
    };
  }

  /** Returns a joined room without any events. */
  static Scene joined() {
    Scene scene = new Scene();
    scene.enter();
    scene.events.clear();
    return scene;
  }

  static Message message(User user, String id, Instant at) {
    return new Values.MessageValue(user, "m", id, at, false, false, false, Extras.NONE, "");
  }

  private String token() {
    if (tokens.isEmpty()) {
      throw new IllegalStateException("no token available");
    }
    return tokens.size() > 1 ? tokens.pop() : tokens.peek();
  }

  /** Returns a token that expires in this many seconds. */
  String token(String user, long seconds) {
    String claims =
        "{\"sub\":\"%s\",\"exp\":%d,\"jti\":\"%d\"}"
            .formatted(user, loop.serverTime() / 1000 + seconds, ++tokensMade);
    return "e30."
        + Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(claims.getBytes(StandardCharsets.UTF_8))
        + ".s";
  }

  /** Enters the room, answers the JOIN and returns it. */
  JsonObject enter() {
    room.enter();
    return acceptJoin();
  }

  FakeNet.Line line() {
    return net.lines.getLast();
  }

  /** Opens the newest connection, sends the past, answers the JOIN and returns it. */
  JsonObject acceptJoin(String... past) {
    line().opens();
    JsonObject join = line().next();
    for (String frame : past) {
      line().serverSends(frame);
    }
    line().serverSends(shown(join));
    return join;
  }

  /** Returns the broadcast of a sent frame. */
  String shown(JsonObject sent) {
    String frame =
        broadcast(
            Frames.text(sent, "messageType"),
            Frames.text(sent, "userId"),
            Frames.text(sent, "message"),
            Frames.text(sent, "messageId"));
    return sent.has("data") ? with(frame, "\"data\":" + sent.get("data")) : frame;
  }

  /** Returns a text of another user. */
  String text(String text) {
    return broadcast("TEXT", "4", text, "c-" + text);
  }

  /** Returns the name of the frame of a text. */
  JsonObject nameOf(String text) {
    return Frames.nameOf(Objects.requireNonNull(Frames.read(text(text))));
  }

  String broadcast(String type, String user, String text, String id) {
    JsonObject frame = Frames.message(type, user, "user" + user, id);
    frame.addProperty("roomId", "5");
    frame.addProperty("message", text);
    boolean usesClock = type.equals("JOIN"); // copies of a text must be equal
    frame.addProperty(
        "serverTimestamp",
        usesClock
            ? Instant.ofEpochMilli(loop.serverTime()).toString()
            : "2026-11-20T18:46:00.125Z");
    frame.addProperty("serverId", "server-1");
    frame.addProperty("status", 200);
    return frame.toString();
  }

  static String with(String frame, String more) {
    return frame.replaceFirst("}$", "," + more + "}");
  }

  static String error(JsonObject refused, String code, long retryAfter) {
    JsonObject error = new JsonObject();
    error.addProperty("status", 400);
    error.addProperty("errorCode", code);
    error.addProperty("error", "no");
    error.addProperty("messageId", Frames.text(refused, "messageId"));
    if (retryAfter > 0) {
      error.addProperty("retryAfterMs", retryAfter);
    }
    return error.toString();
  }

  static JsonObject json(String text) {
    return Objects.requireNonNull(Frames.read(text));
  }

  List<String> takeEvents() {
    List<String> all = List.copyOf(events);
    events.clear();
    return all;
  }

  @Override
  public void message(Room from, Message message) {
    events.add(
        message.text()
            + (message.own() ? " own" : "")
            + (message.past() ? " past" : "")
            + (message.late() ? " late" : ""));
  }

  @Override
  public void signal(Room from, Signal signal) {
    events.add("signal " + signal.kind() + (signal.own() ? " own" : ""));
    signals.add(signal);
  }

  @Override
  public void people(Room from, People.Change change) {
    change.joined().forEach(user -> events.add("+" + user.id() + " " + change.count()));
    change.left().forEach(user -> events.add("-" + user.id() + " " + change.count()));
    if (change.joined().isEmpty() && change.left().isEmpty()) {
      events.add("people " + change.count());
    }
  }

  @Override
  public void gap(Room from, Room.Gap gap) {
    events.add("gap");
    gaps.add(gap);
  }

  @Override
  public void state(Room from, State state) {
    events.add(
        switch (state) {
          case State.Connecting _ -> "connecting";
          case State.Joining _ -> "joining";
          case State.Here here -> "here " + here.server();
          case State.Waiting waiting ->
              "waiting " + (waiting.until().toEpochMilli() - loop.now()) + ": " + waiting.why();
          case State.Stopped stop ->
              "stopped " + stop.code() + " " + stop.closeCode() + ": " + stop.why();
          case State.Left _ -> "left";
        });
  }
}
