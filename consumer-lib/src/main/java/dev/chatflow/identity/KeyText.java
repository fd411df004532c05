package dev.chatflow.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keys as files and addresses hold them: public keys in PEM, a set of keys in JSON (JWKS), or a
 * secret, which is anything else. Stateless.
 */
final class KeyText {

  /** Each is tried for each token of its algorithm. */
  static final int MAX_KEYS = 32;

  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  private KeyText() {}

  /**
   * Reads what a file holds.
   *
   * @throws IllegalArgumentException saying what is wrong with it, never showing any of it
   */
  static List<TokenKey> ofFile(byte[] content) {
    String text = new String(content, StandardCharsets.ISO_8859_1).strip();
    if (text.startsWith("-----BEGIN ")) {
      return bounded(pem(text));
    }
    return text.startsWith("{") ? set(content, true) : List.of(TokenKey.secret(secret(content)));
  }

  /**
   * Reads what an address answered: a set without secrets, for anybody can ask there.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static List<TokenKey> ofAddress(byte[] content) {
    return set(content, false);
  }

  /** A line end behind it is the editor's. */
  private static byte[] secret(byte[] content) {
    int end = content.length;
    while (end > 0 && (content[end - 1] == '\n' || content[end - 1] == '\r')) {
      end--;
    }
    return Arrays.copyOf(content, end);
  }

  private static List<TokenKey> pem(String text) {
    List<TokenKey> keys = new ArrayList<>();
    Matcher blocks = PEM.matcher(text);
    while (blocks.find()) {
      if (!blocks.group(1).equals("PUBLIC KEY")) {
        throw new IllegalArgumentException(
            "a " + blocks.group(1) + " where a PUBLIC KEY is needed (openssl pkey -pubout)");
      }
      keys.add(TokenKey.ofPublic(publicKey(Base64.getMimeDecoder().decode(blocks.group(2)))));
    }
    return keys;
  }

  private static PublicKey publicKey(byte[] der) {
    PublicKey rsa = publicKey("RSA", der);
    PublicKey key = rsa == null ? publicKey("EC", der) : rsa;
    if (key == null) {
      throw new IllegalArgumentException("a key that is neither RSA nor of P-256");
    }
    return key;
  }

  private static @Nullable PublicKey publicKey(String algorithm, byte[] der) {
    try {
      return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(der));
    } catch (InvalidKeySpecException _) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static List<TokenKey> set(byte[] content, boolean withSecrets) {
    try {
      List<TokenKey> keys = new ArrayList<>();
      for (JWK key : JWKSet.parse(new String(content, StandardCharsets.UTF_8)).getKeys()) {
        TokenKey usable = isForTokens(key) ? key(key, withSecrets) : null;
        if (usable != null && isOfItsAlgorithm(key, usable)) {
          keys.add(usable);
        }
      }
      return bounded(keys);
    } catch (ParseException | JOSEException e) {
      throw new IllegalArgumentException("no set of keys (JWKS)", e);
    }
  }

  private static boolean isForTokens(JWK key) {
    return key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE);
  }

  private static boolean isOfItsAlgorithm(JWK key, TokenKey usable) {
    return key.getAlgorithm() == null || key.getAlgorithm().equals(usable.algorithm());
  }

  /** Null for a kind that is passed over: a set may serve others, too. */
  private static @Nullable TokenKey key(JWK key, boolean withSecrets) throws JOSEException {
    try {
      return switch (key) {
        case RSAKey rsa -> TokenKey.ofPublic(rsa.toPublicKey());
        case ECKey ec -> TokenKey.ofPublic(ec.toPublicKey());
        case OctetSequenceKey secret when withSecrets -> TokenKey.secret(secret.toByteArray());
        default -> null;
      };
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static List<TokenKey> bounded(List<TokenKey> keys) {
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new IllegalArgumentException(
          keys.size() + " keys of RS256, ES256 or HS256: 1 to " + MAX_KEYS + " are needed");
    }
    return List.copyOf(keys);
  }
}
