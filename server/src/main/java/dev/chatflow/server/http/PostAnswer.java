package dev.chatflow.server.http;

import dev.chatflow.message.MessageCodec;
import dev.chatflow.server.edge.Post;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.edge.ServletAnswer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The response to an accepted post: 201 once it was read back from the log, 503 if it landed too
 * late to be shown, 403 if its user is muted, 202 if neither is known after 10 s.
 *
 * <p>A virtual thread waits, so that a slow broker does not block a container with few threads. A
 * container that stops requests the response at once. The first of them writes it.
 */
final class PostAnswer implements AsyncListener {

  private static final Logger log = LoggerFactory.getLogger(PostAnswer.class);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Post post;
  private final Posts posts;
  private final PostMeter meter;
  private final long startedNanos;
  private final String location;
  private final int shownStatus;

  // Guarded by this.
  private boolean written;

  /**
   * @param location the URL to read the room's messages
   * @param shownStatus the status once it was shown
   */
  PostAnswer(
      Post post,
      Posts posts,
      PostMeter meter,
      long startedNanos,
      String location,
      int shownStatus) {
    this.location = location;
    this.shownStatus = shownStatus;
    this.post = post;
    this.posts = posts;
    this.meter = meter;
    this.startedNanos = startedNanos;
  }

  void start(AsyncContext request) {
    request.setTimeout(0);
    request.addListener(this);
    Thread.ofVirtual().name("chat-post").start(() -> answer(request, post.await(PATIENCE)));
  }

  private int status(Post.Outcome outcome) {
    return switch (outcome) {
      case SHOWN -> shownStatus;
      case REFUSED -> posts.refused(post).code().status();
      case NOT_TAKEN -> HttpServletResponse.SC_SERVICE_UNAVAILABLE;
      case UNKNOWN -> HttpServletResponse.SC_ACCEPTED;
    };
  }

  private synchronized void answer(AsyncContext request, Post.Outcome outcome) {
    if (written) {
      return;
    }
    written = true;
    int status = status(outcome);
    try {
      HttpServletResponse response = (HttpServletResponse) request.getResponse();
      write(response, outcome, status);
      request.complete();
    } catch (IOException | IllegalStateException e) {
      log.debug("the client has disconnected", e);
    } finally {
      meter.answered(status, Duration.ofNanos(System.nanoTime() - startedNanos));
      post.answered();
    }
  }

  private void write(HttpServletResponse response, Post.Outcome outcome, int status)
      throws IOException {
    switch (outcome) {
      case NOT_TAKEN -> ServletAnswer.refuse(posts.late(post), response);
      case REFUSED -> ServletAnswer.refuse(posts.refused(post), response);
      case SHOWN, UNKNOWN -> {
        response.setStatus(status);
        if (status == HttpServletResponse.SC_CREATED) {
          response.setHeader("Location", location);
        } else if (outcome == Post.Outcome.UNKNOWN) {
          ServletAnswer.retryAfter(response, posts.retryAfterMillis());
        }
        ServletAnswer.json(response, MessageCodec.receipt(post.message()));
      }
    }
  }

  /** Responds when the container stops, which would otherwise send a 500. */
  @Override
  public void onTimeout(AsyncEvent event) {
    answer(event.getAsyncContext(), Post.Outcome.UNKNOWN);
  }

  /** Handles a lost connection. */
  @Override
  public void onError(AsyncEvent event) {
    answer(event.getAsyncContext(), Post.Outcome.UNKNOWN);
  }

  @Override
  public void onComplete(AsyncEvent event) {}

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
