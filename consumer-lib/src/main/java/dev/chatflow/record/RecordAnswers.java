package dev.chatflow.record;

import dev.chatflow.message.MessageCodec;
import dev.chatflow.message.Rule;
import dev.chatflow.record.ArchiveQueries.Page;
import dev.chatflow.record.ArchiveQueries.Stored;
import dev.chatflow.room.FrameName;
import dev.chatflow.room.RoomId;
import dev.chatflow.support.Answer;
import dev.chatflow.support.HttpListener;
import dev.chatflow.support.Request;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Answers every path from the archive, except {@code /health} and {@code /metrics}. Thread-safe.
 */
public final class RecordAnswers implements HttpListener.Answers {

  /** All paths, for error messages. */
  public static final String PATHS =
      "/api/stats, /api/audit, /api/gaps, /api/rooms, /api/rooms/{room}/messages,"
          + " /api/users/{name}, /api/users/{name}/messages, /api/analytics/active-users,"
          + " /api/analytics/rate, /api/analytics/top, /api/analytics/participation";

  private static final String BEFORE =
      "before is a position, or a JSON object with messageType, userId, messageId and"
          + " serverTimestamp of a frame of this room, percent-encoded";

  private static final int MAX_TOP = 100;
  private static final int USUAL_TOP = 10;

  private record RoomList(List<Analytics.RoomSum> rooms) {}

  private record UserRooms(String username, List<Analytics.RoomPart> rooms) {}

  private record Users(List<Analytics.UserPart> users) {}

  private record Gaps(List<Analytics.Gap> gaps) {}

  private record Top(List<?> top) {}

  private final ArchiveQueries questions;
  private final Analytics analytics;
  private final StatsAnswer stats;
  private final RateAnswer rate;
  private final InstantSource clock;

  public RecordAnswers(ArchiveQueries questions, InstantSource clock) {
    this.questions = questions;
    this.analytics = new Analytics(questions);
    this.stats = new StatsAnswer(analytics, clock);
    this.rate = new RateAnswer(analytics, clock);
    this.clock = clock;
  }

  @Override
  public Answer answer(Request request) {
    URI uri = request.uri();
    if (!request.method().equals("GET")) {
      return Answer.methodNotAllowed(request.method(), "GET, HEAD");
    }
    try {
      List<String> path = Arrays.asList(uri.getPath().split("/", -1));
      Query query = new Query(uri.getRawQuery());
      boolean ours = path.size() >= 3 && path.get(1).equals("api");
      return ours ? answer(path.subList(2, path.size()), query) : Answer.notFound(PATHS);
    } catch (Refusal refusal) {
      return refusal.answer();
    } catch (StoreException e) {
      return Answer.problem(
          HttpURLConnection.HTTP_UNAVAILABLE, "RECORD_AWAY", String.valueOf(e.getMessage()));
    }
  }

  private Answer answer(List<String> path, Query query) throws Refusal, StoreException {
    return switch (path.size()) {
      case 1 -> whole(path.getFirst(), query);
      case 2 ->
          switch (path.getFirst()) {
            case "users" -> user(path.get(1), query);
            case "analytics" -> analytics(path.get(1), query);
            default -> Answer.notFound(PATHS);
          };
      case 3 -> path.get(2).equals("messages") ? messages(path, query) : Answer.notFound(PATHS);
      default -> Answer.notFound(PATHS);
    };
  }

  private Answer whole(String name, Query query) throws Refusal, StoreException {
    if (name.equals("stats")) {
      return Answer.ok(stats.of(query));
    }
    query.end("this path has no parameters");
    return switch (name) {
      case "audit" -> Answer.ok(analytics.counts());
      case "rooms" -> Answer.ok(new RoomList(analytics.rooms()));
      case "gaps" -> Answer.ok(new Gaps(analytics.gaps()));
      default -> Answer.notFound(PATHS);
    };
  }

  private Answer analytics(String name, Query query) throws Refusal, StoreException {
    return switch (name) {
      case "active-users" -> Answer.ok(activeUsers(query));
      case "rate" -> Answer.ok(rate.of(query));
      case "top" -> Answer.ok(top(query));
      case "participation" -> Answer.ok(participation(query));
      default -> Answer.notFound(PATHS);
    };
  }

  // --- messages

  private Answer messages(List<String> path, Query query) throws Refusal, StoreException {
    return switch (path.getFirst()) {
      case "rooms" -> messagesOfRoom(path.get(1), query);
      case "users" -> messagesOfUser(path.get(1), query);
      default -> Answer.notFound(PATHS);
    };
  }

  private Answer messagesOfRoom(String room, Query query) throws Refusal, StoreException {
    if (!RoomId.isValid(room)) {
      throw bad("BAD_ROOM", "a room id has " + RoomId.RULE + ", not " + room);
    }
    long before = before(room, query.text("before"));
    Range range = query.ofRoom();
    if (range.from() > 0 && before < Long.MAX_VALUE) {
      throw Query.bad("from and before cannot be combined");
    }
    List<Stored> found = questions.ofRoom(room, page(range, before));
    long recorded = analytics.recorded(room);
    if (recorded == 0) {
      throw notRecorded("room " + room);
    }
    String head = "{\"roomId\":\"" + room + "\",\"recorded\":" + recorded + ",\"messages\":[";
    return json(head + joined(found) + "]" + pages(found) + "}");
  }

  /** Returns the position to end before; beyond all positions if none was given. */
  private long before(String room, String given) throws Refusal, StoreException {
    if (given.isEmpty()) {
      return Long.MAX_VALUE;
    }
    if (given.matches("[1-9][0-9]{0,17}")) {
      return Long.parseLong(given);
    }
    FrameName name = MessageCodec.frameName(given);
    if (name == null) {
      throw Query.bad(BEFORE);
    }
    Long position = questions.position(room, name);
    if (position == null) {
      throw notRecorded("the frame in before");
    }
    return position;
  }

  private static Page page(Range range, long before) {
    return new Page(range.from(), before, range.sinceMillis(), range.untilMillis(), range.limit());
  }

  /** Returns the positions for the next and previous page. */
  private static String pages(List<Stored> found) {
    return found.isEmpty()
        ? ""
        : ",\"previous\":%d,\"next\":%d"
            .formatted(found.getFirst().position(), found.getLast().position() + 1);
  }

  private Answer messagesOfUser(String username, Query query) throws Refusal, StoreException {
    Range range = query.ofUser();
    roomsOf(username);
    List<Stored> found = questions.ofUser(username, page(range, Long.MAX_VALUE));
    return json("{\"username\":\"" + username + "\",\"messages\":[" + joined(found) + "]}");
  }

  private static String joined(List<Stored> found) {
    return found.stream().map(each -> each.row().frame()).collect(Collectors.joining(","));
  }

  // --- users

  private Answer user(String username, Query query) throws Refusal, StoreException {
    query.end("this path has no parameters");
    return Answer.ok(new UserRooms(username, roomsOf(username)));
  }

  private List<Analytics.RoomPart> roomsOf(String username) throws Refusal, StoreException {
    if (!Rule.USERNAME.allows().test(username)) {
      throw bad("BAD_USER", "a username " + Rule.USERNAME.text() + ", not " + username);
    }
    List<Analytics.RoomPart> rooms = analytics.roomsOf(username);
    if (rooms.isEmpty()) {
      throw notRecorded("user " + username);
    }
    return rooms;
  }

  private Analytics.Active activeUsers(Query query) throws Refusal, StoreException {
    Analytics.Window window = RateAnswer.window(query, clock);
    int limit = (int) query.number("limit", 1, Range.MAX_LIMIT, Range.DEFAULT_LIMIT);
    query.end("the parameters are since=TIME, until=TIME, limit=1..1000");
    return analytics.activeUsers(window.sinceMillis(), window.untilMillis(), limit);
  }

  private Users participation(Query query) throws Refusal, StoreException {
    int limit = (int) query.number("limit", 1, Range.MAX_LIMIT, Range.DEFAULT_LIMIT);
    query.end("the parameter is limit=1..1000");
    return new Users(analytics.participation(limit));
  }

  private Top top(Query query) throws Refusal, StoreException {
    boolean users = query.oneOf("of", List.of("users", "rooms")).equals("users");
    String by = query.oneOf("by", List.of("messages", users ? "rooms" : "users"));
    int n = (int) query.number("n", 1, MAX_TOP, USUAL_TOP);
    query.end(
        "the parameters are of=users with by=messages or rooms, of=rooms with by=messages or users,"
            + " n=1..100");
    boolean byMessages = by.equals("messages");
    if (users) {
      return new Top(byMessages ? analytics.topUsers(n) : analytics.topUsersByRooms(n));
    }
    return new Top(byMessages ? analytics.topRooms(n) : analytics.topRoomsByUsers(n));
  }

  // ---

  private static Refusal bad(String code, String text) {
    return new Refusal(HttpURLConnection.HTTP_BAD_REQUEST, code, text);
  }

  private static Refusal notRecorded(String what) {
    return new Refusal(
        HttpURLConnection.HTTP_NOT_FOUND, "NOT_RECORDED", "nothing was recorded of " + what);
  }

  /** Wraps a body that is JSON already. */
  private static Answer json(String body) {
    return new Answer(HttpURLConnection.HTTP_OK, Answer.JSON, body);
  }
}
