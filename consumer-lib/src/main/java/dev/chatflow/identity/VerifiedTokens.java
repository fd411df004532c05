package dev.chatflow.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Caches the identities of verified tokens by hash, so that a signature is verified once per token
 * instead of once per request. Holds {@value #MAX} tokens; the least recently used one is dropped.
 *
 * <p>Thread-safe.
 */
final class VerifiedTokens {

  static final int MAX = 1_024;

  /** Guarded by itself. */
  private final Map<String, Identity> byHash = new LinkedHashMap<>(16, 0.75f, true);

  /** Returns the identity of a token, or null if it was not verified or was dropped. */
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
