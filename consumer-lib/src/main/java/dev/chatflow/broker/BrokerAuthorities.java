package dev.chatflow.broker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates the TLS context for the broker, which trusts the authorities of a file or of the system.
 * Stateless.
 */
final class BrokerAuthorities {

  private BrokerAuthorities() {}

  /**
   * Returns the TLS context.
   *
   * @param file certificates in PEM, or null for the system's
   * @throws GeneralSecurityException also if the file contains no certificate
   */
  static SSLContext context(@Nullable Path file) throws IOException, GeneralSecurityException {
    if (file == null) {
      return SSLContext.getDefault();
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store(file));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore store(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (Certificate certificate : certificates(file)) {
      store.setCertificateEntry("authority-" + store.size(), certificate);
    }
    return store;
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws IOException, CertificateException {
    try (InputStream in = Files.newInputStream(file)) {
      var found = CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new CertificateException("no certificate in it");
      }
      return found;
    }
  }
}
