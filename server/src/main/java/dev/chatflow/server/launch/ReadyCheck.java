package dev.chatflow.server.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Requests the readiness of a server.
 *
 * @param uri {@code /ready} of its admin listener
 */
record ReadyCheck(URI uri) {

  private static final int TIMEOUT_MILLIS = 1_000;
  private static final Pattern REASON = Pattern.compile("\"reason\":\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** Returns why the server is not ready, or null when it is. Blocks for at most two seconds. */
  @Nullable String obstacle() {
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      try {
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        return connection.getResponseCode() == HttpURLConnection.HTTP_OK
            ? null
            : reason(connection);
      } finally {
        connection.disconnect();
      }
    } catch (IOException _) {
      return "its admin listener does not answer";
    }
  }

  private static String reason(HttpURLConnection connection) throws IOException {
    try (InputStream body = connection.getErrorStream()) {
      String text = body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8);
      Matcher reason = REASON.matcher(text);
      return reason.find() ? reason.group(1) : "status " + connection.getResponseCode();
    }
  }
}
