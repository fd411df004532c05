package dev.chatflow.server.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Responds to a request when a future completes, which it does in time. Stateless. */
final class AsyncAnswer {

  private static final Logger log = LoggerFactory.getLogger(AsyncAnswer.class);

  private AsyncAnswer() {}

  /** Writes a response; called by a virtual thread. */
  @FunctionalInterface
  interface Writer<A> {
    void write(A answer, HttpServletResponse response) throws IOException;
  }

  /** Waits without blocking a thread; a failure becomes a 500. */
  static <A> void write(CompletableFuture<A> coming, HttpServletRequest request, Writer<A> writer) {
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    var _ =
        coming.whenCompleteAsync(
            (answer, failure) -> write(answer, failure, context, writer),
            task -> Thread.ofVirtual().name("chat-answer").start(task));
  }

  private static <A> void write(
      @Nullable A answer, @Nullable Throwable failure, AsyncContext context, Writer<A> writer) {
    HttpServletResponse response = (HttpServletResponse) context.getResponse();
    try {
      if (answer == null) {
        log.warn("a request could not be answered", failure);
        response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
      } else {
        writer.write(answer, response);
      }
      context.complete();
    } catch (IOException | IllegalStateException e) {
      log.debug("the client has disconnected", e);
    }
  }
}
