package dev.chatflow.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parses keys from files and addresses: public keys in PEM, a set of keys in JSON (JWKS), or any
 * other content as a secret. Stateless.
 */
final class KeyText {

  /** Each key is tried for each token of its algorithm. */
  static final int MAX_KEYS = 32;

  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  private KeyText() {}

  /**
   * Parses the content of a file.
   *
   * @param skipped receives each key that is not used, with the reason
   * @throws IllegalArgumentException with the problem, without any of the content
   */
  static List<TokenKey> ofFile(byte[] content, Consumer<String> skipped) {
    String text = new String(content, StandardCharsets.ISO_8859_1).strip();
    if (text.startsWith("-----BEGIN ")) {
      return usable(pem(text), skipped);
    }
    return text.startsWith("{")
        ? set(content, true, skipped)
        : List.of(TokenKey.secret(secret(content)));
  }

  /**
   * Parses the answer of an address: a set without secrets, because anyone can request it.
   *
   * @param skipped receives each key that is not used, with the reason
   * @throws IllegalArgumentException with the problem
   */
  static List<TokenKey> ofAddress(byte[] content, Consumer<String> skipped) {
    return set(content, false, skipped);
  }

  /** Returns the secret without the line end that an editor adds. */
  private static byte[] secret(byte[] content) {
    int end = content.length;
    while (end > 0 && (content[end - 1] == '\n' || content[end - 1] == '\r')) {
      end--;
    }
    return Arrays.copyOf(content, end);
  }

  /** A key of a source with several keys, under the name used in reports. */
  private record Entry(String name, Supplier<TokenKey> key) {}

  /** Returns the usable keys; an unusable one must not disable the others. */
  private static List<TokenKey> usable(List<Entry> entries, Consumer<String> skipped) {
    List<TokenKey> keys = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Entry entry : entries) {
      try {
        keys.add(entry.key().get());
      } catch (IllegalArgumentException e) {
        problems.add(entry.name() + SafeText.text(String.valueOf(e.getMessage())));
      }
    }
    if (keys.isEmpty() && problems.size() == 1) {
      throw new IllegalArgumentException(problems.getFirst());
    }
    problems.stream().limit(MAX_KEYS).forEach(skipped);
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new IllegalArgumentException(
          keys.size() + " keys of RS256, ES256 or HS256: 1 to " + MAX_KEYS + " are needed");
    }
    return List.copyOf(keys);
  }

  private static List<Entry> pem(String text) {
    return PEM.matcher(text)
        .results()
        .map(block -> new Entry("", () -> ofPem(block.group(1), block.group(2))))
        .toList();
  }

  private static TokenKey ofPem(String kind, String base64) {
    if (!kind.equals("PUBLIC KEY")) {
      throw new IllegalArgumentException(
          "a " + kind + " where a PUBLIC KEY is needed (openssl pkey -pubout)");
    }
    return TokenKey.ofPublic(publicKey(Base64.getMimeDecoder().decode(base64)));
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

  private static List<TokenKey> set(byte[] content, boolean secrets, Consumer<String> skipped) {
    return usable(
        entries(content).stream()
            .map(each -> new Entry(name(each) + ": ", () -> ofSet(each, secrets)))
            .toList(),
        skipped);
  }

  private static List<Map<?, ?>> entries(byte[] content) {
    Map<String, Object> document = json(content);
    if (document.get("keys") instanceof List<?> list) {
      return list.stream()
          .map(each -> each instanceof Map<?, ?> entry ? entry : Map.of())
          .collect(Collectors.toList());
    }
    throw new IllegalArgumentException("not a set of keys (JWKS)");
  }

  /** Returns the address of the keys in a discovery document; null for any other content. */
  static @Nullable String keysAddress(byte[] content) {
    try {
      return json(content).get("jwks_uri") instanceof String address ? address : null;
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static Map<String, Object> json(byte[] content) {
    try {
      return JSONObjectUtils.parse(new String(content, StandardCharsets.UTF_8));
    } catch (ParseException e) {
      throw new IllegalArgumentException("not a set of keys (JWKS)", e);
    }
  }

  private static String name(Map<?, ?> entry) {
    return entry.get("kid") instanceof String id ? "kid " + SafeText.text(id) : "a key without kid";
  }

  private static TokenKey ofSet(Map<?, ?> entry, boolean secrets) {
    JWK key = parsed(entry);
    if (key.getKeyUse() != null && !key.getKeyUse().equals(KeyUse.SIGNATURE)) {
      throw new IllegalArgumentException("its use is " + key.getKeyUse() + ", not sig");
    }
    TokenKey usable = key(key, secrets);
    if (key.getAlgorithm() != null && !key.getAlgorithm().equals(usable.algorithm())) {
      throw new IllegalArgumentException(
          "its alg is " + key.getAlgorithm() + ": RS256, ES256 and HS256 are accepted");
    }
    return usable;
  }

  /**
   * Parses one key. The library's message about an unreadable secret may contain a part of it, so
   * it is not passed on.
   */
  private static JWK parsed(Map<?, ?> entry) {
    try {
      Map<String, Object> fields = new HashMap<>();
      entry.forEach((name, value) -> fields.put(String.valueOf(name), value));
      return JWK.parse(fields);
    } catch (ParseException | IllegalArgumentException e) {
      boolean hidden = "oct".equals(entry.get("kty")) || entry.containsKey("d");
      throw new IllegalArgumentException(
          hidden ? "it cannot be read" : "it cannot be read: " + e.getMessage(), e);
    }
  }

  private static TokenKey key(JWK key, boolean secrets) {
    try {
      return switch (key) {
        case RSAKey rsa -> TokenKey.ofPublic(rsa.toPublicKey());
        case ECKey ec -> TokenKey.ofPublic(ec.toPublicKey());
        case OctetSequenceKey secret when secrets -> TokenKey.secret(secret.toByteArray());
        case OctetSequenceKey _ ->
            throw new IllegalArgumentException("a secret that is public at this address");
        default -> throw new IllegalArgumentException("its kty is " + key.getKeyType());
      };
    } catch (JOSEException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
