package dev.chatflow.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Set;

/**
 * A key with its only algorithm. A token's algorithm must match and never selects one. Immutable
 * and thread-safe.
 *
 * @param print identifies the key without revealing a secret: its thumbprint of RFC 7638
 */
record TokenKey(JWSAlgorithm algorithm, JWSVerifier verifier, String print) {

  /** The supported algorithms. */
  static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256, JWSAlgorithm.HS256);

  /** Shorter secrets can be guessed or computed. */
  static final int LEAST_SECRET_BYTES = 32;

  private static final int LEAST_RSA_BITS = 2_048;

  /**
   * Creates a shared secret for HS256.
   *
   * @throws IllegalArgumentException if it is too short
   */
  static TokenKey secret(byte[] bytes) {
    if (bytes.length < LEAST_SECRET_BYTES) {
      throw new IllegalArgumentException(
          "a secret of %d bytes: at least %d are needed"
              .formatted(bytes.length, LEAST_SECRET_BYTES));
    }
    try {
      String print = print(new OctetSequenceKey.Builder(bytes).build());
      return new TokenKey(JWSAlgorithm.HS256, new MACVerifier(bytes), print);
    } catch (JOSEException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Creates a public key: RSA for RS256, the curve P-256 for ES256.
   *
   * @throws IllegalArgumentException for any other key
   */
  static TokenKey ofPublic(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa when rsa.getModulus().bitLength() < LEAST_RSA_BITS ->
          throw new IllegalArgumentException(
              "an RSA key of %d bits: at least %d are needed"
                  .formatted(rsa.getModulus().bitLength(), LEAST_RSA_BITS));
      case RSAPublicKey rsa ->
          new TokenKey(
              JWSAlgorithm.RS256, new RSASSAVerifier(rsa), print(new RSAKey.Builder(rsa).build()));
      case ECPublicKey ec when Curve.P_256.equals(Curve.forECParameterSpec(ec.getParams())) ->
          new TokenKey(
              JWSAlgorithm.ES256, ecdsa(ec), print(new ECKey.Builder(Curve.P_256, ec).build()));
      default -> throw new IllegalArgumentException("a key that is neither RSA nor of P-256");
    };
  }

  private static JWSVerifier ecdsa(ECPublicKey key) {
    try {
      return new ECDSAVerifier(key);
    } catch (JOSEException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static String print(JWK key) {
    try {
      return key.computeThumbprint().toString();
    } catch (JOSEException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Returns whether this key signed the token, with its algorithm. */
  boolean signed(SignedJWT token) {
    try {
      return algorithm.equals(token.getHeader().getAlgorithm()) && token.verify(verifier);
    } catch (JOSEException | IllegalStateException _) {
      return false;
    }
  }
}
