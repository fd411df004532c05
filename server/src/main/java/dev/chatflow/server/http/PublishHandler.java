package dev.chatflow.server.http;

import dev.chatflow.message.ClientRules;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
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
 * Serves {@code POST /api/rooms/{roomId}/messages}: publishes one TEXT through the lane of its
 * room.
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
      case PostRequest.Content.Text text -> {
        switch (admit(text, visitor)) {
          case Admitted.Refused(ErrorFrame error) -> refuse(error, response, started);
          case Admitted.Accepted(var post) ->
              new PostAnswer(post, posts, meter, started, request.getRequestURI())
                  .start(request.startAsync());
        }
      }
    }
  }

  private Admitted admit(PostRequest.Content.Text text, Gate.Visitor visitor) {
    String reason = closedBecause.get();
    if (reason != null) {
      String id = text.message().messageId();
      String what = "the server is " + reason + ": try another, or again later";
      return new Admitted.Refused(
          ErrorFrame.refusal(ErrorCode.SERVICE_UNAVAILABLE, what, id, System.currentTimeMillis())
              .retryAfter(posts.retryAfterMillis()));
    }
    return posts.admit(text.message(), text.room(), visitor);
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
