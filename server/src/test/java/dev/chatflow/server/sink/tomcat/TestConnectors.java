package dev.chatflow.server.sink.tomcat;

import dev.chatflow.support.TestCertificate;
import dev.chatflow.support.Tls;
import java.io.IOException;
import java.security.GeneralSecurityException;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/** Connectors of Tomcat on a free loopback port, configured like a server's. Stateless. */
final class TestConnectors {

  private TestConnectors() {}

  static Connector plain() {
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("useVirtualThreads", "true");
    connector.setProperty("socket.bufferPool", "0");
    // As the launcher's: by default the kernel uses up to 4 MB, which lasts seconds in small
    // writes.
    connector.setProperty("socket.txBufSize", "131072");
    return connector;
  }

  static Connector tls() throws IOException, GeneralSecurityException, InterruptedException {
    Tls tls = TestCertificate.shared();
    Connector connector = plain();
    connector.setSecure(true);
    connector.setScheme("https");
    connector.setProperty("SSLEnabled", "true");
    SSLHostConfig host = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
    certificate.setCertificateFile(tls.certificate().toString());
    certificate.setCertificateKeyFile(tls.key().toString());
    host.addCertificate(certificate);
    connector.addSslHostConfig(host);
    return connector;
  }
}
