package dev.chatflow.standalone;

import dev.chatflow.http.Answer;
import dev.chatflow.http.HttpListener;
import dev.chatflow.http.Request;
import dev.chatflow.message.Rule;
import dev.chatflow.room.RoomId;
import dev.chatflow.standalone.answer.Query;
import dev.chatflow.standalone.answer.Refusal;
import dev.chatflow.standalone.record.Kept;
import dev.chatflow.standalone.record.Range;
import dev.chatflow.standalone.record.RoomView;
import dev.chatflow.standalone.record.Statistics;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The answers to every path of the standalone consumer. Any thread. */
final class Answers implements HttpListener.Answers {

  private static final String PATHS =
      "/health, /metrics, /api/stats, /api/audit, /api/rooms, /api/rooms/{room}/messages,"
          + " /api/users/{name}, /api/users/{name}/messages";

  private record RoomList(List<RoomView> rooms) {}

  private record UserRooms(String username, List<Statistics.RoomMessages> rooms) {}

  private final Statistics statistics;
  private final StandaloneMeters meters;
  private final Health health;

  Answers(Statistics statistics, StandaloneMeters meters, Health health) {
    this.statistics = statistics;
    this.meters = meters;
    this.health = health;
  }

  @Override
  public Answer answer(Request request) {
    URI uri = request.uri();
    if (!request.method().equals("GET")) {
      return Answer.methodNotAllowed(request.method(), "GET, HEAD");
    }
    try {
      Query query = new Query(uri.getRawQuery());
      String[] parts = uri.getPath().split("/", -1);
      if (parts.length == 5 && parts[1].equals("api") && parts[4].equals("messages")) {
        return messages(parts[2], parts[3], query);
      }
      Answer answer = withoutParameters(uri.getPath(), parts, request.accept());
      query.end("this path has no parameters");
      return answer;
    } catch (Refusal refusal) {
      return refusal.answer();
    }
  }

  private Answer withoutParameters(String path, String[] parts, @Nullable String accept)
      throws Refusal {
    return switch (path) {
      case "/health" -> Answer.json(health.status().httpStatus(), health.view());
      case "/metrics" -> meters.scrape(accept);
      case "/api/stats" -> Answer.ok(statistics.stats());
      case "/api/audit" -> Answer.ok(statistics.counts());
      case "/api/rooms" -> Answer.ok(new RoomList(statistics.rooms()));
      default -> {
        if (parts.length == 4 && parts[1].equals("api") && parts[2].equals("users")) {
          yield Answer.ok(new UserRooms(parts[3], roomsOf(parts[3])));
        }
        yield Answer.notFound(PATHS);
      }
    };
  }

  private Answer messages(String of, String name, Query query) throws Refusal {
    return switch (of) {
      case "rooms" -> messagesOfRoom(name, query.ofRoom());
      case "users" -> messagesOfUser(name, query.ofUser());
      default -> Answer.notFound(PATHS);
    };
  }

  private Answer messagesOfRoom(String roomId, Range range) throws Refusal {
    if (!RoomId.isValid(roomId)) {
      throw bad("BAD_ROOM", "a room id has " + RoomId.RULE + ", not " + roomId);
    }
    RoomView room = statistics.room(roomId);
    if (room == null) {
      throw notRecorded("room " + roomId);
    }
    String head =
        "{\"roomId\":\"%s\",\"recorded\":%d,\"kept\":%d,\"messages\":["
            .formatted(roomId, room.recorded(), room.kept());
    List<Kept> found = statistics.messagesOfRoom(roomId, range);
    return json(head + joined(found) + "]" + next(found) + "}");
  }

  /** Where a reader goes on. */
  private static String next(List<Kept> found) {
    return found.isEmpty() ? "" : ",\"next\":" + (found.getLast().position() + 1);
  }

  private Answer messagesOfUser(String username, Range range) throws Refusal {
    roomsOf(username);
    String head = "{\"username\":\"%s\",\"messages\":[".formatted(username);
    return json(head + joined(statistics.messagesOfUser(username, range)) + "]}");
  }

  private List<Statistics.RoomMessages> roomsOf(String username) throws Refusal {
    if (!Rule.USERNAME.allows().test(username)) {
      throw bad("BAD_USER", "a username " + Rule.USERNAME.text() + ", not " + username);
    }
    List<Statistics.RoomMessages> rooms = statistics.roomsOf(username);
    if (rooms.isEmpty()) {
      throw notRecorded("user " + username);
    }
    return rooms;
  }

  private static Refusal bad(String code, String text) {
    return new Refusal(HttpURLConnection.HTTP_BAD_REQUEST, code, text);
  }

  private static Refusal notRecorded(String what) {
    return new Refusal(
        HttpURLConnection.HTTP_NOT_FOUND, "NOT_RECORDED", "nothing was recorded of " + what);
  }

  private static String joined(List<Kept> found) {
    return found.stream().map(Kept::json).collect(Collectors.joining(","));
  }

  /** Records are JSON already. */
  private static Answer json(String body) {
    return new Answer(HttpURLConnection.HTTP_OK, Answer.JSON, body);
  }
}
