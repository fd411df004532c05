package dev.chatflow.server.http;

import dev.chatflow.delivery.PastAnswer;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageCodec;
import dev.chatflow.room.FrameName;
import dev.chatflow.room.Past;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.ServletAnswer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code GET /api/rooms/{roomId}/messages}: the newest messages of a room.
 *
 * <p>Thread-safe. The container's thread reads the request, a virtual thread writes the response.
 */
public final class PastHandler {

  private static final int USUAL = 50;
  private static final Set<String> KEPT = Set.of("TEXT", "JOIN", "LEAVE");
  private static final long RETRY_MILLIS = 1_000;
  private static final String LAST = "last must be an integer from 1 to " + Past.MAX_HISTORY;
  private static final String BEFORE =
      "before must be the next of an earlier answer, or a JSON object with messageType, userId,"
          + " messageId and serverTimestamp of a frame of this room, percent-encoded";
  private static final String TYPES = "types must be one or more of TEXT, JOIN, LEAVE, with commas";
  private static final String NOT_KEPT =
      "the frame in before is no longer kept; omit before to get the newest";

  /**
   * The choice of messages in a request.
   *
   * @param most maximum number of messages
   * @param types message types; empty for all
   * @param before messages before this frame; null for the newest
   */
  private record Query(RoomId room, int most, Set<String> types, @Nullable FrameName before) {

    private boolean wants(String broadcast) {
      return types.isEmpty()
          || types.stream()
              .anyMatch(type -> broadcast.startsWith("{\"messageType\":\"" + type + "\""));
    }
  }

  /** Answers requests for earlier messages. */
  @FunctionalInterface
  public interface Source {
    CompletableFuture<PastAnswer> ask(RoomId room, int most, @Nullable FrameName before);
  }

  private final Source rooms;
  private final int history;
  private final PostMeter meter;

  /**
   * @param history maximum messages per request; 0 for none
   */
  public PastHandler(Source rooms, int history, PostMeter meter) {
    this.rooms = rooms;
    this.history = history;
    this.meter = meter;
  }

  void get(String roomId, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!RoomId.isValid(roomId)) {
      refuse(ErrorCode.BAD_ROOM, PostRequest.BAD_ROOM, 0, response);
      return;
    }
    int last = last(request.getParameter("last"));
    String given = request.getParameter("before");
    FrameName before = given == null ? null : MessageCodec.frameName(decoded(given));
    Set<String> types = types(request.getParameter("types"));
    if (last == 0) {
      refuse(ErrorCode.BAD_QUERY, LAST, 0, response);
    } else if (given != null && before == null) {
      refuse(ErrorCode.BAD_QUERY, BEFORE, 0, response);
    } else if (types == null) {
      refuse(ErrorCode.BAD_QUERY, TYPES, 0, response);
    } else {
      ask(new Query(new RoomId(roomId), Math.min(last, history), types, before), request);
    }
  }

  /** Returns the frame's name of a cursor; other text is returned unchanged. */
  private static String decoded(String before) {
    try {
      return new String(Base64.getUrlDecoder().decode(before), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return before;
    }
  }

  private static @Nullable Set<String> types(@Nullable String text) {
    Set<String> types = text == null ? Set.of() : new TreeSet<>(List.of(text.split(",", -1)));
    return KEPT.containsAll(types) ? types : null;
  }

  private static int last(@Nullable String text) {
    if (text == null) {
      return USUAL;
    }
    int last = text.matches("[1-9][0-9]{0,2}") ? Integer.parseInt(text) : 0;
    return last <= Past.MAX_HISTORY ? last : 0;
  }

  /** Asks for more than it wants if some types are not wanted. */
  private void ask(Query query, HttpServletRequest request) {
    int most = query.types().isEmpty() ? query.most() : history;
    AsyncAnswer.write(
        rooms.ask(query.room(), most, query.before()),
        request,
        (answer, response) -> write(query, answer, response));
  }

  private void write(Query query, PastAnswer answer, HttpServletResponse response)
      throws IOException {
    switch (answer) {
      case PastAnswer.Answered answered -> {
        meter.pastAnswered(HttpServletResponse.SC_OK);
        response.setHeader("Cache-Control", "no-store");
        ServletAnswer.json(response, body(query, answered.texts()));
      }
      case PastAnswer.NotFound() -> refuse(ErrorCode.NOT_FOUND, NOT_KEPT, 0, response);
      case PastAnswer.NotNow(String why) ->
          refuse(ErrorCode.SERVICE_UNAVAILABLE, why + ": try again later", RETRY_MILLIS, response);
    }
  }

  /** Builds the body. The messages are broadcasts as stored in the log, which are JSON already. */
  private static byte[] body(Query query, List<String> found) {
    List<String> wanted = found.stream().filter(query::wants).toList();
    List<String> last = wanted.subList(Math.max(0, wanted.size() - query.most()), wanted.size());
    List<String> read = last.size() < query.most() ? found : last;
    String next = read.isEmpty() ? "" : next(read.getFirst());
    String messages = String.join(",", last);
    return ("{\"roomId\":\"" + query.room() + "\",\"messages\":[" + messages + "]" + next + "}")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the field with the name of a frame, in a form that needs no escapes in an address. */
  private static String next(String broadcast) {
    FrameName name = MessageCodec.frameName(broadcast);
    if (name == null) {
      return "";
    }
    byte[] json = name.toJson().getBytes(StandardCharsets.UTF_8);
    return ",\"next\":\"" + Base64.getUrlEncoder().withoutPadding().encodeToString(json) + "\"";
  }

  private void refuse(ErrorCode code, String text, long retryMillis, HttpServletResponse response)
      throws IOException {
    meter.pastAnswered(code.status());
    ErrorFrame error = ErrorFrame.refusal(code, text, null, System.currentTimeMillis());
    ServletAnswer.refuse(retryMillis == 0 ? error : error.retryAfter(retryMillis), response);
  }
}
