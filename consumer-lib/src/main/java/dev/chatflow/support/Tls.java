package dev.chatflow.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of a listener's certificate and private key. Immutable and thread-safe.
 *
 * @param certificate the listener's certificate first, then those up to its authority
 * @param key of the first certificate
 */
public record Tls(Path certificate, Path key) {

  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  /** The password of a key store that never leaves this process. */
  static final char[] NO_PASSWORD = {};

  /**
   * Reads it from a program's keys: both files, or none.
   *
   * @return null without TLS
   */
  public static <K extends Enum<K> & ConfigKey> @Nullable Tls of(
      ConfigValues<K> values, K certificate, K key) {
    List<K> missing =
        Stream.of(certificate, key).filter(each -> values.text(each).isEmpty()).toList();
    if (missing.size() == 2) {
      return null;
    }
    missing.forEach(each -> wrong(values, each));
    return new Tls(file(values, certificate), file(values, key));
  }

  private static <K extends Enum<K> & ConfigKey> Path file(ConfigValues<K> values, K key) {
    String text = values.text(key);
    Path file = Path.of(text).toAbsolutePath();
    if (!text.isEmpty() && !Files.isReadable(file)) {
      wrong(values, key);
    }
    return file;
  }

  private static <K extends Enum<K> & ConfigKey> void wrong(ConfigValues<K> values, K key) {
    values.wrong(key, values.text(key), key.allowed().words());
  }

  /** Returns both files, for {@link CertificateWatch}. */
  public List<Path> files() {
    return List.of(certificate, key);
  }

  /**
   * Ensures that both can be used, as at a start.
   *
   * @throws IOException if not; the message names them
   */
  public void requireUsable() throws IOException {
    var _ = read();
  }

  /**
   * Reads the pair from the files.
   *
   * @throws IOException if they cannot be read or used, or do not belong together; the message
   *     names them
   */
  KeyStore read() throws IOException {
    try {
      List<Certificate> chain = chain();
      PrivateKey secret = secret();
      requirePair(chain.getFirst(), secret);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry("own", secret, NO_PASSWORD, chain.toArray(Certificate[]::new));
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new IOException(
          "certificate %s with key %s: %s".formatted(certificate, key, e.getMessage()), e);
    }
  }

  private List<Certificate> chain() throws IOException, GeneralSecurityException {
    try (var file = Files.newInputStream(certificate)) {
      List<Certificate> chain =
          List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(file));
      if (chain.isEmpty()) {
        throw new IOException("there is no certificate in the first file");
      }
      return chain;
    }
  }

  private PrivateKey secret() throws IOException, GeneralSecurityException {
    Matcher pem = PRIVATE_KEY.matcher(Files.readString(key, StandardCharsets.ISO_8859_1));
    if (!pem.find()) {
      throw new IOException(
          "there is no PRIVATE KEY in the second file (openssl pkcs8 -topk8 -nocrypt makes one of"
              + " an older form)");
    }
    PKCS8EncodedKeySpec encoded =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
    try {
      return KeyFactory.getInstance("RSA").generatePrivate(encoded);
    } catch (InvalidKeySpecException _) {
      return KeyFactory.getInstance("EC").generatePrivate(encoded);
    }
  }

  /**
   * Checks that they belong together. A key store accepts any two, and then every client would
   * fail.
   */
  private static void requirePair(Certificate certificate, PrivateKey secret)
      throws GeneralSecurityException {
    String algorithm = "SHA256with" + (secret.getAlgorithm().equals("EC") ? "ECDSA" : "RSA");
    if (!secret.getAlgorithm().equals(certificate.getPublicKey().getAlgorithm())) {
      throw new GeneralSecurityException("the key does not match the first certificate");
    }
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(secret);
    signature.update((byte) 1);
    byte[] signed = signature.sign();
    signature.initVerify(certificate);
    signature.update((byte) 1);
    if (!signature.verify(signed)) {
      throw new GeneralSecurityException("the key does not match the first certificate");
    }
  }
}
