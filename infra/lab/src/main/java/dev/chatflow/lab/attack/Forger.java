package dev.chatflow.lab.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes tokens, good ones and others, and a server's settings by which the good ones are good: a
 * secret, and beside it a public key of RSA. Immutable.
 */
final class Forger {
  private static final int RSA_BITS = 2048;

  private final byte[] secret =
      "attack-attack-attack-attack-attack".getBytes(StandardCharsets.US_ASCII);
  private final byte[] publicKey;
  private final Map<String, String> settings;

  /**
   * Writes the keys.
   *
   * @param directory where
   */
  Forger(Path directory) throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(RSA_BITS);
    KeyPair pair = generator.generateKeyPair();
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(pair.getPublic().getEncoded())
            + "\n-----END PUBLIC KEY-----\n";
    publicKey = pem.getBytes(StandardCharsets.US_ASCII);
    Path secrets = Files.write(directory.resolve("secret.key"), secret);
    Path keys = Files.write(directory.resolve("public.pem"), publicKey);
    settings = Map.of("CHATFLOW_TOKEN_KEYS", secrets + "," + keys);
  }

  /** Those of a server that asks for these tokens. */
  Map<String, String> settings() {
    return settings;
  }

  /** The header line with a good token of a user for a room. */
  String line(int user, String room) throws GeneralSecurityException {
    return bearer(good(claims(Integer.toString(user), room, 600)));
  }

  static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  static String claims(String user, String room, long seconds) {
    return "{\"sub\":\"%s\",\"rooms\":[\"%s\"],\"exp\":%d}"
        .formatted(user, room, Instant.now().getEpochSecond() + seconds);
  }

  String good(String claims) throws GeneralSecurityException {
    return signed("{\"alg\":\"HS256\"}", claims, secret);
  }

  /** Signed with what everybody may know, as if it were a secret. */
  String withPublicKey(String claims) throws GeneralSecurityException {
    return signed("{\"alg\":\"HS256\"}", claims, publicKey);
  }

  static String signed(String header, String claims, byte[] key) throws GeneralSecurityException {
    String unsigned = encoded(header) + "." + encoded(claims);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return unsigned + "." + base64(mac.doFinal(unsigned.getBytes(StandardCharsets.US_ASCII)));
  }

  static String encoded(String json) {
    return base64(json.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
