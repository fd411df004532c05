package dev.chatflow.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers whose tokens were verified, by hash, so that a signature is checked once for each token
 * and not for each request. Holds {@value #MAX} tokens; the one unused for longest goes first.
 *
 * <p>Any thread may call.
 */
final class VerifiedTokens {

  static final int MAX = 1_024;

  /** Guarded by itself. */
  private final Map<String, Identity> byHash = new LinkedHashMap<>(16, 0.75f, true);

  /** Returns whose token this is, or null when it has not been verified or was forgotten. */
  @Nullable Identity find(String token) {
    String hash = hash(token);
    synchronized (byHash) {
      return byHash.get(hash);
    }
  }

  void remember(String token, Identity identity) {
    String hash = hash(token);
    synchronized (byHash) {
      byHash.put(hash, identity);
      if (byHash.size() > MAX) {
        byHash.remove(byHash.keySet().iterator().next());
      }
    }
  }

  private static String hash(String token) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
