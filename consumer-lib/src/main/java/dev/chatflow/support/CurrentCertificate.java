package dev.chatflow.support;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyStoreBuilderParameters;
import javax.net.ssl.SSLContext;

/**
 * A listener's current certificate and key, used for new connections. The JDK's key manager queries
 * it at each handshake. Thread-safe.
 */
final class CurrentCertificate extends KeyStore.Builder {

  private static final String ASKS_EACH_TIME = "NewSunX509";

  private final Tls files;
  private volatile KeyStore store;

  /**
   * Reads them for the first time.
   *
   * @throws IOException if they cannot be used; the message names them
   */
  CurrentCertificate(Tls files) throws IOException {
    this.files = files;
    this.store = files.read();
  }

  /**
   * Reads them again.
   *
   * @throws IOException if they cannot be used: the last ones stay effective
   */
  void readAgain() throws IOException {
    store = files.read();
  }

  /** Returns the context for connections, which always uses the current pair. */
  SSLContext context() {
    try {
      KeyManagerFactory keys = KeyManagerFactory.getInstance(ASKS_EACH_TIME);
      keys.init(new KeyStoreBuilderParameters(this));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no standard TLS", e);
    }
  }

  @Override
  public KeyStore getKeyStore() {
    return store;
  }

  @Override
  public KeyStore.ProtectionParameter getProtectionParameter(String alias) {
    return new KeyStore.PasswordProtection(Tls.NO_PASSWORD);
  }
}
