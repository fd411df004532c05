package dev.chatflow.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A signer of tokens with its own key; tests give its key file to a server. */
public final class Issuer {

  private final JWSAlgorithm algorithm;
  private final JWSSigner signer;
  private final byte[] keyFile;

  private Issuer(JWSAlgorithm algorithm, JWSSigner signer, byte[] keyFile) {
    this.algorithm = algorithm;
    this.signer = signer;
    this.keyFile = keyFile.clone();
  }

  /** Creates one with HS256 and this secret. */
  public static Issuer hs256(String secret) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    try {
      return new Issuer(JWSAlgorithm.HS256, new MACSigner(bytes), bytes);
    } catch (JOSEException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Creates one with RS256 and a new key. */
  public static Issuer rs256() {
    KeyPair keys = rsa(2_048);
    return new Issuer(JWSAlgorithm.RS256, new RSASSASigner(keys.getPrivate()), pem(keys));
  }

  /** Creates one with ES256 and a new key. */
  public static Issuer es256() {
    KeyPair keys = ec("secp256r1");
    try {
      JWSSigner signer = new ECDSASigner((ECPrivateKey) keys.getPrivate());
      return new Issuer(JWSAlgorithm.ES256, signer, pem(keys));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static KeyPair rsa(int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static KeyPair ec(String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(curve));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] pem(KeyPair keys) {
    String base64 = Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded());
    return ("-----BEGIN PUBLIC KEY-----\n" + base64 + "\n-----END PUBLIC KEY-----\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the key file that a server needs to verify its tokens. */
  byte[] keyFile() {
    return keyFile.clone();
  }

  /** Writes the key file. */
  public Path writeKey(Path file) {
    try {
      return Files.write(file, keyFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a token for a user and these rooms, valid for this long; expired for a negative time.
   */
  public String token(String user, Duration left, String... rooms) {
    return sign(claims(user, left, rooms));
  }

  /** Returns the claims that {@link #token} signs, for modification. */
  public static Map<String, Object> claims(String user, Duration left, String... rooms) {
    Map<String, Object> claims = new HashMap<>();
    claims.put("sub", user);
    claims.put("rooms", List.of(rooms));
    claims.put("exp", Date.from(Instant.now().plus(left)));
    return claims;
  }

  /** Signs any claims. */
  public String sign(Map<String, Object> claims) {
    JWTClaimsSet.Builder set = new JWTClaimsSet.Builder();
    claims.forEach(set::claim);
    SignedJWT token = new SignedJWT(new JWSHeader(algorithm), set.build());
    try {
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
