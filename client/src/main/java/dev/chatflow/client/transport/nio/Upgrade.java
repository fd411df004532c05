package dev.chatflow.client.transport.nio;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The opening handshake of one connection. Immutable. */
final class Upgrade {
  static final int MAX_RESPONSE_BYTES = 16 << 10;
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private final String request;
  private final String accept;

  Upgrade(URI uri, Random random, String headers) {
    byte[] nonce = new byte[16];
    random.nextBytes(nonce);
    String key = Base64.getEncoder().encodeToString(nonce);
    String host = uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    request =
        """
        GET %s%s HTTP/1.1\r
        Host: %s\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: %s\r
        Sec-WebSocket-Version: 13\r
        %s\r
        """
            .formatted(uri.getRawPath(), query, host, key, headers);
    accept = acceptOf(key);
  }

  byte[] request() {
    return request.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the end of the response header, or -1 if it is incomplete. */
  static int endOfHeader(byte[] bytes, int from, int to) {
    for (int at = from; at + 4 <= to; at++) {
      if (bytes[at] == '\r'
          && bytes[at + 1] == '\n'
          && bytes[at + 2] == '\r'
          && bytes[at + 3] == '\n') {
        return at + 4;
      }
    }
    return -1;
  }

  /** Returns why the response does not accept the upgrade, or null if it does. */
  @Nullable String refusal(byte[] bytes, int from, int to) {
    String[] lines =
        new String(bytes, from, to - from, StandardCharsets.ISO_8859_1).split("\r\n", -1);
    if (!lines[0].startsWith("HTTP/1.1 101")) {
      return lines[0].strip();
    }
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0
          && line.substring(0, colon).toLowerCase(Locale.ROOT).equals("sec-websocket-accept")) {
        return line.substring(colon + 1).strip().equals(accept)
            ? null
            : "wrong Sec-WebSocket-Accept";
      }
    }
    return "no Sec-WebSocket-Accept";
  }

  static String acceptOf(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1")
              .digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
