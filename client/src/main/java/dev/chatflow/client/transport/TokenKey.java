package dev.chatflow.client.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A key that signs tokens: a secret (HS256), or a private RSA (RS256) or P-256 (ES256) key. The key
 * determines the algorithm. Immutable; any thread. Never printed.
 */
public final class TokenKey {
  /** Minimum bytes of a secret: the length of the HS256 hash. */
  public static final int MIN_SECRET_BYTES = 32;

  private static final int MIN_RSA_BITS = 2048;
  private static final int CURVE_BITS = 256;
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  /** Signs bytes. */
  @FunctionalInterface
  private interface Signing {
    byte[] of(byte[] bytes) throws GeneralSecurityException;
  }

  private final String algorithm;
  private final Signing signing;

  private TokenKey(String algorithm, Signing signing) {
    this.algorithm = algorithm;
    this.signing = signing;
  }

  /**
   * Reads a key: a private PEM key (PKCS#8), or any other bytes as a secret, without a final line
   * end.
   *
   * @throws IOException if the file cannot be read or the key is invalid; the message says why
   */
  public static TokenKey read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1).replaceFirst("[\r\n]+$", "");
    Matcher pem = PEM.matcher(text);
    if (pem.find()) {
      return ofPem(pem.group(1), Base64.getMimeDecoder().decode(pem.group(2)));
    }
    return ofSecret(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static TokenKey ofSecret(byte[] secret) throws IOException {
    if (secret.length < MIN_SECRET_BYTES) {
      throw new IOException(
          "a secret must have at least " + MIN_SECRET_BYTES + " bytes, found " + secret.length);
    }
    SecretKeySpec key = new SecretKeySpec(secret, "HmacSHA256");
    return new TokenKey(
        "HS256",
        bytes -> {
          Mac mac = Mac.getInstance("HmacSHA256");
          mac.init(key);
          return mac.doFinal(bytes);
        });
  }

  private static TokenKey ofPem(String label, byte[] encoded) throws IOException {
    if (!label.equals("PRIVATE KEY")) {
      throw new IOException(
          "the key must be a PRIVATE KEY in PEM form (PKCS#8), found a "
              + label
              + "; openssl pkcs8 -topk8 -nocrypt converts older forms");
    }
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(encoded);
    PrivateKey key = keyOf("RSA", spec, keyOf("EC", spec, null));
    return switch (key) {
      case RSAPrivateKey rsa when rsa.getModulus().bitLength() >= MIN_RSA_BITS ->
          new TokenKey("RS256", bytes -> signed("SHA256withRSA", rsa, bytes));
      case ECPrivateKey ec when ec.getParams().getOrder().bitLength() == CURVE_BITS ->
          new TokenKey("ES256", bytes -> signed("SHA256withECDSAinP1363Format", ec, bytes));
      case null, default ->
          throw new IOException(
              "a private key must be RSA with " + MIN_RSA_BITS + " bits or more, or P-256");
    };
  }

  private static @Nullable PrivateKey keyOf(
      String family, PKCS8EncodedKeySpec spec, @Nullable PrivateKey otherwise) {
    try {
      return KeyFactory.getInstance(family).generatePrivate(spec);
    } catch (InvalidKeySpecException _) {
      return otherwise;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + family, e);
    }
  }

  private static byte[] signed(String how, PrivateKey key, byte[] bytes)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance(how);
    signature.initSign(key);
    signature.update(bytes);
    return signature.sign();
  }

  /** Returns a token with these claims. */
  String sign(String claims) {
    String unsigned =
        encoded("{\"alg\":\"" + algorithm + "\",\"typ\":\"JWT\"}") + "." + encoded(claims);
    try {
      byte[] signature = signing.of(unsigned.getBytes(StandardCharsets.US_ASCII));
      return unsigned + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key cannot sign", e);
    }
  }

  private static String encoded(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "a key of " + algorithm;
  }
}
