package dev.chatflow.server.http;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ClientRules;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.Gate;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.edge.Posts.Admitted;
import dev.chatflow.server.edge.ServletAnswer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code POST /api/rooms/{roomId}/messages} and {@code PUT
 * /api/rooms/{roomId}/mutes/{userId}}: publishes one TEXT or mute through the lane of its room.
 *
 * <p>The container's thread reads and admits; {@link PostAnswer} does the rest. Thread-safe.
 */
public final class PublishHandler {

  private final Posts posts;
  private final Supplier<@Nullable String> closedBecause;
  private final ClientRules rules;
  private final PostMeter meter;

  /**
   * Creates the handler of a server.
   *
   * @param closedBecause such as {@code starting} or {@code draining}; null while messages are
   *     accepted
   * @param rules what is accepted from clients
   */
  public PublishHandler(
      Posts posts, Supplier<@Nullable String> closedBecause, ClientRules rules, PostMeter meter) {
    this.posts = posts;
    this.closedBecause = closedBecause;
    this.rules = rules;
    this.meter = meter;
  }

  void post(
      String roomId, Gate.Visitor visitor, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long started = System.nanoTime();
    switch (new PostRequest(request, visitor, rules, System.currentTimeMillis()).read(roomId)) {
      case PostRequest.Content.Wrong(ErrorFrame error) -> refuse(error, response, started);
      case PostRequest.Content.Text(RoomId room, ClientMessage message) -> {
        Admitted admitted = admit(message.messageId(), () -> posts.admit(message, room, visitor));
        answer(admitted, HttpServletResponse.SC_CREATED, started, request, response);
      }
    }
  }

  /** Mutes a user of a room for the seconds in the body. */
  void mute(
      RoomId room,
      String userId,
      Gate.Visitor visitor,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    long started = System.nanoTime();
    ErrorFrame error = MuteRequest.refusal(userId, room, visitor.identity());
    Long seconds = error == null ? MuteRequest.seconds(request) : null;
    if (error != null) {
      refuse(error, response, started);
    } else if (seconds == null) {
      refuse(MuteRequest.wrongSeconds(), response, started);
    } else {
      Admitted admitted = admit(null, () -> posts.mute(userId, room, seconds, visitor));
      answer(admitted, HttpServletResponse.SC_OK, started, request, response);
    }
  }

  private void answer(
      Admitted admitted,
      int shownStatus,
      long started,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    switch (admitted) {
      case Admitted.Refused(ErrorFrame error) -> refuse(error, response, started);
      case Admitted.Accepted(var post) ->
          new PostAnswer(post, posts, meter, started, request.getRequestURI(), shownStatus)
              .start(request.startAsync());
    }
  }

  private Admitted admit(@Nullable String messageId, Supplier<Admitted> post) {
    String reason = closedBecause.get();
    if (reason == null) {
      return post.get();
    }
    String what = "the server is " + reason + ": try another, or again later";
    return new Admitted.Refused(
        ErrorFrame.refusal(
                ErrorCode.SERVICE_UNAVAILABLE, what, messageId, System.currentTimeMillis())
            .retryAfter(posts.retryAfterMillis()));
  }

  /** Rejects a post without reading its body. */
  void refuse(ErrorFrame error, HttpServletResponse response) throws IOException {
    refuse(error, response, System.nanoTime());
  }

  private void refuse(ErrorFrame error, HttpServletResponse response, long startedNanos)
      throws IOException {
    meter.refused(error.code().name());
    ServletAnswer.refuse(error, response);
    meter.answered(error.code().status(), Duration.ofNanos(System.nanoTime() - startedNanos));
  }
}
