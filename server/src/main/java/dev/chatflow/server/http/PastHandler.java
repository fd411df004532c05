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
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code GET /api/rooms/{roomId}/messages}: the newest messages of a room.
 *
 * <p>Thread-safe. The container's thread reads the request, a virtual thread writes the response.
 */
public final class PastHandler {

  private static final int USUAL = 50;
  private static final long RETRY_MILLIS = 1_000;
  private static final String LAST = "last must be an integer from 1 to " + Past.MAX_HISTORY;
  private static final String BEFORE =
      "before must be a JSON object with messageType, userId, messageId and serverTimestamp of a"
          + " frame of this room, percent-encoded";
  private static final String NOT_KEPT =
      "the frame in before is no longer kept; omit before to get the newest";

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
    FrameName before = given == null ? null : MessageCodec.frameName(given);
    if (last == 0) {
      refuse(ErrorCode.BAD_QUERY, LAST, 0, response);
    } else if (given != null && before == null) {
      refuse(ErrorCode.BAD_QUERY, BEFORE, 0, response);
    } else {
      ask(new RoomId(roomId), Math.min(last, history), before, request);
    }
  }

  private static int last(@Nullable String text) {
    if (text == null) {
      return USUAL;
    }
    int last = text.matches("[1-9][0-9]{0,2}") ? Integer.parseInt(text) : 0;
    return last <= Past.MAX_HISTORY ? last : 0;
  }

  private void ask(RoomId room, int most, @Nullable FrameName before, HttpServletRequest request) {
    AsyncAnswer.write(
        rooms.ask(room, most, before),
        request,
        (answer, response) -> write(room, answer, response));
  }

  private void write(RoomId room, PastAnswer answer, HttpServletResponse response)
      throws IOException {
    switch (answer) {
      case PastAnswer.Answered answered -> {
        meter.pastAnswered(HttpServletResponse.SC_OK);
        response.setHeader("Cache-Control", "no-store");
        ServletAnswer.json(response, body(room, answered));
      }
      case PastAnswer.NotFound() -> refuse(ErrorCode.NOT_FOUND, NOT_KEPT, 0, response);
      case PastAnswer.NotNow(String why) ->
          refuse(ErrorCode.SERVICE_UNAVAILABLE, why + ": try again later", RETRY_MILLIS, response);
    }
  }

  /** Builds the body. The messages are broadcasts as stored in the log, which are JSON already. */
  private static byte[] body(RoomId room, PastAnswer.Answered answered) {
    String messages = String.join(",", answered.texts());
    return ("{\"roomId\":\"" + room + "\",\"messages\":[" + messages + "]}")
        .getBytes(StandardCharsets.UTF_8);
  }

  private void refuse(ErrorCode code, String text, long retryMillis, HttpServletResponse response)
      throws IOException {
    meter.pastAnswered(code.status());
    ErrorFrame error = ErrorFrame.refusal(code, text, null, System.currentTimeMillis());
    ServletAnswer.refuse(retryMillis == 0 ? error : error.retryAfter(retryMillis), response);
  }
}
