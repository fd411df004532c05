package dev.chatflow.server.edge;

import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageCodec;
import dev.chatflow.support.Answer;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes responses of the application: JSON, and error frames as rejections. Stateless. */
public final class ServletAnswer {

  private static final String PROBLEM = "application/problem+json";

  private ServletAnswer() {}

  /** Notes in the response that the client asks for errors in the form of RFC 9457. */
  public static void negotiate(HttpServletRequest request, HttpServletResponse response) {
    String accept = request.getHeader("Accept");
    if (accept != null && accept.contains(PROBLEM)) {
      response.setContentType(PROBLEM);
    }
  }

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
    ErrorFrame rounded = seconds > 0 ? error.retryAfter(seconds * 1_000) : error;
    if (PROBLEM.equals(response.getContentType())) {
      write(response, PROBLEM, MessageCodec.problem(rounded));
    } else {
      json(response, MessageCodec.error(rounded));
    }
  }

  /** Writes a JSON body. */
  public static void json(ServletResponse response, byte[] json) throws IOException {
    write(response, Answer.JSON, json);
  }

  private static void write(ServletResponse response, String type, byte[] json) throws IOException {
    response.setContentType(type);
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
  }

  /** Sets {@code Retry-After} in whole seconds, rounded up. */
  public static void retryAfter(HttpServletResponse response, long millis) {
    response.setHeader("Retry-After", Long.toString((millis + 999) / 1000));
  }
}
