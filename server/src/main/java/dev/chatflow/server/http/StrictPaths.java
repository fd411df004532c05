package dev.chatflow.server.http;

import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.server.edge.ServletAnswer;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Accepts only one spelling of each path. A container also treats {@code //rooms/5}, {@code
 * /x/../rooms/5} and {@code /rooms;a=b/5} as {@code /rooms/5}, but a page at such an address would
 * resolve its links to other paths, or even another host. Stateless.
 */
public final class StrictPaths implements Filter {

  /** Empty segments, path parameters, backslashes, and dot segments, encoded or not. */
  private static final Pattern AMBIGUOUS = Pattern.compile("//|;|\\\\|(?i:%3b|%2e)|/[.]{1,2}(/|$)");

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    String path = asked.getRequestURI();
    if (AMBIGUOUS.matcher(path).find()) {
      String text = "nothing here: a path has no parameters, empty segments or dots";
      ServletAnswer.refuse(
          ErrorFrame.refusal(ErrorCode.NOT_FOUND, text, null, System.currentTimeMillis()), answer);
    } else if (!path.isEmpty() && path.equals(asked.getContextPath())) {
      redirect(path + "/", asked.getQueryString(), answer);
    } else {
      chain.doFilter(request, response);
    }
  }

  /**
   * Redirects to the path with a slash: without it the page's relative links would leave the
   * application.
   */
  private static void redirect(String path, @Nullable String query, HttpServletResponse answer) {
    answer.setStatus(HttpServletResponse.SC_FOUND);
    answer.setHeader("Location", query == null ? path : path + "?" + query);
  }
}
