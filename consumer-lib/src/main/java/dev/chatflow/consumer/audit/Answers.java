package dev.chatflow.consumer.audit;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.chatflow.room.RoomId;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The answers to every path of the standalone consumer. Any thread. */
final class Answers {

  static final String JSON = "application/json";
  static final int OK = 200;
  static final int UNAVAILABLE = 503;
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final Pattern USERNAME = Pattern.compile("[A-Za-z0-9_-]{3,20}");
  private static final String PATHS =
      "/health, /metrics, /api/stats, /api/audit, /api/rooms, /api/rooms/{room}/messages,"
          + " /api/users/{name}, /api/users/{name}/messages";

  /** The body of an error. */
  private record Problem(int status, String errorCode, String error) {}

  private record RoomList(List<RoomView> rooms) {}

  private record UserRooms(String username, List<Statistics.RoomMessages> rooms) {}

  private final Gson gson = new GsonBuilder().disableHtmlEscaping().create();
  private final Statistics statistics;
  private final AuditMeters meters;
  private final Health health;

  Answers(Statistics statistics, AuditMeters meters, Health health) {
    this.statistics = statistics;
    this.meters = meters;
    this.health = health;
  }

  Answer answer(String method, URI uri, @Nullable String accept) {
    try {
      if (!method.equals("GET")) {
        throw new Refusal(METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "only GET, not " + method);
      }
      return get(uri.getPath(), uri.getRawQuery(), accept);
    } catch (Refusal refusal) {
      return refused(refusal.status(), refusal.code(), String.valueOf(refusal.getMessage()));
    }
  }

  Answer refused(int status, String code, String text) {
    return json(status, new Problem(status, code, text));
  }

  private Answer get(String path, @Nullable String query, @Nullable String accept) throws Refusal {
    return switch (path) {
      case "/health" -> json(health.isUsable() ? OK : UNAVAILABLE, health.view());
      case "/metrics" -> new Answer(OK, AuditMeters.contentType(accept), meters.scrape(accept));
      case "/api/stats" -> json(OK, statistics.stats());
      case "/api/audit" -> json(OK, statistics.audit());
      case "/api/rooms" -> json(OK, new RoomList(statistics.rooms()));
      default -> below(path.split("/", -1), query);
    };
  }

  private Answer below(String[] parts, @Nullable String query) throws Refusal {
    boolean messages = parts.length == 5 && parts[4].equals("messages");
    if (messages && parts[2].equals("rooms") && parts[1].equals("api")) {
      return messagesOfRoom(parts[3], Ranges.of(parameters(query), true));
    }
    if (messages && parts[2].equals("users") && parts[1].equals("api")) {
      return messagesOfUser(parts[3], Ranges.of(parameters(query), false));
    }
    if (parts.length == 4 && parts[2].equals("users") && parts[1].equals("api")) {
      return json(OK, new UserRooms(parts[3], roomsOf(parts[3])));
    }
    throw new Refusal(NOT_FOUND, "NOT_FOUND", "nothing here; there is " + PATHS);
  }

  private Answer messagesOfRoom(String roomId, Range range) throws Refusal {
    if (!RoomId.isValid(roomId)) {
      throw new Refusal(
          BAD_REQUEST, "BAD_ROOM", "a room id has " + RoomId.RULE + ", not " + roomId);
    }
    RoomView room =
        statistics.rooms().stream().filter(r -> r.roomId().equals(roomId)).findFirst().orElse(null);
    if (room == null) {
      throw new Refusal(NOT_FOUND, "NOT_RECORDED", "nothing was recorded of room " + roomId);
    }
    String head =
        "{\"roomId\":\"%s\",\"recorded\":%d,\"kept\":%d,\"messages\":["
            .formatted(roomId, room.recorded(), room.kept());
    List<Kept> found = statistics.messagesOfRoom(roomId, range);
    return new Answer(OK, JSON, head + joined(found) + "]" + next(found) + "}");
  }

  /** Where a reader goes on. */
  private static String next(List<Kept> found) {
    return found.isEmpty() ? "" : ",\"next\":" + (found.getLast().position() + 1);
  }

  private Answer messagesOfUser(String username, Range range) throws Refusal {
    roomsOf(username);
    String head = "{\"username\":\"%s\",\"messages\":[".formatted(username);
    return new Answer(OK, JSON, head + joined(statistics.messagesOfUser(username, range)) + "]}");
  }

  private List<Statistics.RoomMessages> roomsOf(String username) throws Refusal {
    if (!USERNAME.matcher(username).matches()) {
      throw new Refusal(
          BAD_REQUEST, "BAD_USER", "a username has 3 to 20 of A-Z a-z 0-9 _ -, not " + username);
    }
    List<Statistics.RoomMessages> rooms = statistics.roomsOf(username);
    if (rooms.isEmpty()) {
      throw new Refusal(NOT_FOUND, "NOT_RECORDED", "nothing was recorded of user " + username);
    }
    return rooms;
  }

  private static String joined(List<Kept> found) {
    return found.stream().map(Kept::json).collect(Collectors.joining(","));
  }

  private Answer json(int status, Object body) {
    return new Answer(status, JSON, gson.toJson(body));
  }

  private static Map<String, String> parameters(@Nullable String query) {
    Map<String, String> parameters = new HashMap<>();
    if (query != null) {
      for (String part : query.split("&", -1)) {
        String[] pair = part.split("=", 2);
        parameters.put(decoded(pair[0]), pair.length == 2 ? decoded(pair[1]) : "");
      }
    }
    return parameters;
  }

  private static String decoded(String part) {
    try {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return part; // refused by name where it matters
    }
  }

  /** Reads which records a query asks for. Stateless. */
  private static final class Ranges {
    private static final String FORM = "from=POSITION, since=TIME, until=TIME, limit=1..1000";

    static Range of(Map<String, String> parameters, boolean hasPositions) throws Refusal {
      Map<String, String> rest = new HashMap<>(parameters);
      String limit = rest.remove("limit");
      String from = hasPositions ? rest.remove("from") : null;
      String since = rest.remove("since");
      String until = rest.remove("until");
      if (!rest.isEmpty()) {
        throw bad(rest.keySet().iterator().next() + " is unknown; there is " + FORM);
      }
      return new Range(
          from == null ? 0 : number("from", from, 1, Long.MAX_VALUE),
          since == null ? Long.MIN_VALUE : time("since", since),
          until == null ? Long.MAX_VALUE : time("until", until),
          limit == null ? Range.DEFAULT_LIMIT : (int) number("limit", limit, 1, Range.MAX_LIMIT));
    }

    private static long number(String name, String text, long least, long most) throws Refusal {
      try {
        long value = Long.parseLong(text);
        if (value >= least && value <= most) {
          return value;
        }
      } catch (NumberFormatException _) {
        // Refused below.
      }
      throw bad(
          "%s=%s is not a whole number from %d%s"
              .formatted(name, text, least, most == Long.MAX_VALUE ? "" : " to " + most));
    }

    private static long time(String name, String text) throws Refusal {
      try {
        return OffsetDateTime.parse(text).toInstant().toEpochMilli();
      } catch (DateTimeException _) {
        throw bad(name + "=" + text + " is not a time such as 2026-11-20T18:46:00Z");
      }
    }

    private static Refusal bad(String text) {
      return new Refusal(BAD_REQUEST, "BAD_QUERY", text);
    }
  }
}
