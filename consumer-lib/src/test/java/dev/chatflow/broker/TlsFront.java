package dev.chatflow.broker;

import dev.chatflow.support.TestCertificate;
import dev.chatflow.support.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Accepts TLS connections with its own certificate and forwards the decrypted bytes. */
final class TlsFront implements AutoCloseable {

  private final int target;
  private final Path certificate;
  private final ServerSocket socket;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private TlsFront(int target, Path certificate, ServerSocket socket) {
    this.target = target;
    this.certificate = certificate;
    this.socket = socket;
  }

  /** Creates one in front of a loopback port, with a certificate that names localhost. */
  static TlsFront to(int target)
      throws IOException, GeneralSecurityException, InterruptedException {
    Tls tls = TestCertificate.shared();
    ServerSocket socket =
        TestCertificate.context(tls)
            .getServerSocketFactory()
            .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    TlsFront front = new TlsFront(target, tls.certificate(), socket);
    Thread.ofVirtual().start(front::accept);
    return front;
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Returns its self-signed certificate in PEM. */
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
      // closed
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
    } catch (IOException _) {
      // one side has ended, and so does the other
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
