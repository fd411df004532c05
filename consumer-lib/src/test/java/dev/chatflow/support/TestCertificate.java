package dev.chatflow.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A self-signed certificate for localhost, created with the JDK's keytool. */
public final class TestCertificate {

  private static final char[] PASSWORD = "changeit".toCharArray();

  private static @Nullable Tls shared;

  private TestCertificate() {}

  /**
   * Returns an EC certificate that all tests of this JVM share: keytool takes a second for each.
   */
  public static synchronized Tls shared()
      throws IOException, GeneralSecurityException, InterruptedException {
    if (shared == null) {
      shared = make(Files.createDirectories(Path.of("target").toAbsolutePath()), "EC");
    }
    return shared;
  }

  /**
   * Creates one.
   *
   * @param algorithm of its key: EC or RSA
   */
  public static Tls make(Path directory, String algorithm)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = Files.createTempDirectory(directory, "made").resolve("made.p12");
    keytool(store, algorithm);
    KeyStore made = KeyStore.getInstance(store.toFile(), PASSWORD);
    Path certificate = store.resolveSibling("certificate.pem");
    Path key = store.resolveSibling("key.pem");
    write(certificate, "CERTIFICATE", made.getCertificate("own").getEncoded());
    write(key, "PRIVATE KEY", made.getKey("own", PASSWORD).getEncoded());
    return new Tls(certificate, key);
  }

  private static void write(Path file, String what, byte[] der) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, lines, what));
  }

  /** Returns the context of a server with this certificate. */
  public static SSLContext context(Tls certificate) throws IOException {
    return new CurrentCertificate(certificate).context();
  }

  /** Returns the context of a client that trusts only these certificates. */
  static SSLContext trusting(Tls... certificates) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (Tls each : certificates) {
      try (var file = Files.newInputStream(each.certificate())) {
        trusted.setCertificateEntry(
            "c" + trusted.size(),
            CertificateFactory.getInstance("X.509").generateCertificate(file));
      }
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private static void keytool(Path store, String algorithm)
      throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-J-XX:TieredStopAtLevel=1",
                    "-J-XX:+UseSerialGC",
                    "-genkeypair",
                    "-alias",
                    "own",
                    "-keyalg",
                    algorithm,
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "san=dns:localhost",
                    "-validity",
                    "2",
                    "-keystore",
                    store.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    new String(PASSWORD)))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException(said);
    }
  }
}
