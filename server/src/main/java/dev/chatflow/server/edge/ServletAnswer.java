package dev.chatflow.server.edge;

import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageCodec;
import dev.chatflow.support.Answer;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes responses of the application: JSON, and error frames as rejections. Stateless. */
public final class ServletAnswer {

  private ServletAnswer() {}

  /**
   * Responds with the error frame, its status, and {@code Retry-After} if it has a wait: both in
   * whole seconds, rounded up, so that they agree.
   */
  public static void refuse(ErrorFrame error, HttpServletResponse response) throws IOException {
    response.setStatus(error.code().status());
    response.setHeader("Cache-Control", "no-store");
    long seconds = (error.retryAfterMillis() + 999) / 1_000;
    if (seconds > 0) {
      response.setHeader("Retry-After", Long.toString(seconds));
    }
    json(response, MessageCodec.error(seconds > 0 ? error.retryAfter(seconds * 1_000) : error));
  }

  /** Writes a JSON body. */
  public static void json(ServletResponse response, byte[] json) throws IOException {
    response.setContentType(Answer.JSON);
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
  }

  /** Sets {@code Retry-After} in whole seconds, rounded up. */
  public static void retryAfter(HttpServletResponse response, long millis) {
    response.setHeader("Retry-After", Long.toString((millis + 999) / 1000));
  }
}
