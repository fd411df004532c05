package dev.chatflow.server.http;

import dev.chatflow.support.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of the operations page, read on request: its own, and the alert rules and runbook,
 * which provide names, thresholds and texts. Stateless.
 */
final class OperationsPage {

  private static final String PAGE = "operations.html";

  /** The files in this package, with their types. */
  private static final Map<String, String> FILES =
      Map.of(
          PAGE,
          "text/html",
          "operations.css",
          "text/css",
          "operations.js",
          "text/javascript",
          "figures.js",
          "text/javascript",
          "alerts.js",
          "text/javascript",
          "chatflow.svg",
          "image/svg+xml",
          "chatflow.yml",
          "text/plain",
          "runbook.md",
          "text/plain");

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy", PageServlet.POLICY + "'none'",
          "X-Content-Type-Options", "nosniff",
          "Cache-Control", "no-cache");

  private OperationsPage() {}

  /** Returns a file; the empty name is the page. Null if there is no such file. */
  static @Nullable Answer file(String name) {
    String file = name.isEmpty() ? PAGE : name;
    String type = FILES.get(file);
    return type == null
        ? null
        : new Answer(HttpURLConnection.HTTP_OK, type + ";charset=UTF-8", read(file), HEADERS);
  }

  private static String read(String name) {
    try (InputStream file = OperationsPage.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("the application has no " + name);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
