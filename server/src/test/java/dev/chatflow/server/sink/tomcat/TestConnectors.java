package dev.chatflow.server.sink.tomcat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/** Connectors of Tomcat on a free loopback port, configured like a server's. Stateless. */
final class TestConnectors {

  private static final String PASSWORD = "changeit";

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

  /**
   * Returns one with a new key.
   *
   * @param directory where the key is kept
   */
  static Connector tls(Path directory) throws IOException, InterruptedException {
    Path keys = directory.resolve("keys.p12");
    makeKey(keys);
    Connector connector = plain();
    connector.setSecure(true);
    connector.setScheme("https");
    connector.setProperty("SSLEnabled", "true");
    SSLHostConfig host = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
    certificate.setCertificateKeystoreFile(keys.toString());
    certificate.setCertificateKeystorePassword(PASSWORD);
    host.addCertificate(certificate);
    connector.addSslHostConfig(host);
    return connector;
  }

  private static void makeKey(Path keys) throws IOException, InterruptedException {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    int status =
        new ProcessBuilder(
                keytool,
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-alias",
                "test",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (status != 0) {
      throw new IOException("keytool ended with " + status);
    }
  }
}
