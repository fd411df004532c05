package dev.chatflow.server.launch;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * Checks whether a server is ready.
 *
 * @param uri {@code /ready} of its admin listener
 */
record ReadyCheck(URI uri) {

  private static final int TIMEOUT_MILLIS = 1_000;

  boolean isReady() {
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      try {
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
      } finally {
        connection.disconnect();
      }
    } catch (IOException _) {
      return false;
    }
  }
}
