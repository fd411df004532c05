package dev.chatflow.lab.load;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** What a server answers to a client's {@code Sec-WebSocket-Key} (RFC 6455, 4.2.2). */
public final class AcceptKey {
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private AcceptKey() {}

  public static String of(String key) {
    try {
      byte[] text = (key + GUID).getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
