package dev.chatflow.client.fake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A key for one test, with a self-signed certificate.
 *
 * @param pem file with the certificate
 */
public record Identity(SSLContext context, Path pem) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /**
   * Creates an identity with the JDK's {@code keytool}.
   *
   * @param names subject alternative names in its format, such as {@code ip:127.0.0.1}
   */
  public static Identity of(Path directory, String names) throws Exception {
    Path file = directory.resolve("identity.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-ext",
                "SAN=" + names,
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new IOException(Files.readString(directory.resolve("keytool.log")));
    }
    KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD);
    return new Identity(context(store), pem(store, directory.resolve("identity.pem")));
  }

  private static SSLContext context(KeyStore store) throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static Path pem(KeyStore store, Path file) throws GeneralSecurityException, IOException {
    byte[] certificate = store.getCertificate(store.aliases().nextElement()).getEncoded();
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(certificate);
    return Files.writeString(
        file, "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
  }
}
