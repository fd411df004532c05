package dev.chatflow.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Takes TLS connections under a certificate of its own and hands on what it decrypts. */
final class TlsFront implements AutoCloseable {

  private static final char[] PASSWORD = "changeit".toCharArray();

  private final int target;
  private final Path certificate;
  private final ServerSocket socket;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private TlsFront(int target, Path certificate, ServerSocket socket) {
    this.target = target;
    this.certificate = certificate;
    this.socket = socket;
  }

  /**
   * Makes one in front of a loopback port.
   *
   * @param directory for the certificate, which names localhost
   */
  static TlsFront to(int target, Path directory)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = directory.resolve("front.p12");
    makeCertificate(store);
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    byte[] der = keys.getCertificate("front").getEncoded();
    String pem =
        "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
            .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
    Path certificate = Files.writeString(directory.resolve("front.pem"), pem);
    ServerSocket socket =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    TlsFront front = new TlsFront(target, certificate, socket);
    Thread.ofVirtual().start(front::accept);
    return front;
  }

  private static void makeCertificate(Path store) throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "front",
                    "-keyalg",
                    "EC",
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

  int port() {
    return socket.getLocalPort();
  }

  /** In PEM; it vouches for itself. */
  Path certificate() {
    return certificate;
  }

  private void accept() {
    try {
      while (true) {
        Socket from = socket.accept();
        Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(from);
        open.add(to);
        Thread.ofVirtual().start(() -> copy(from, to));
        Thread.ofVirtual().start(() -> copy(to, from));
      }
    } catch (IOException _) {
      // Closed.
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
    } catch (IOException _) {
      // One of the two has ended, and so does the other.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket each : open) {
      each.close();
    }
  }
}
