package dev.chatflow.server;

import dev.chatflow.support.TestCertificate;
import dev.chatflow.support.Tls;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * HAProxy with the shipped configuration, on its own ports in front of one server; browsers use
 * TLS. One thread sends commands.
 */
final class HaProxy implements AutoCloseable {

  private static final Path SHIPPED = Path.of("../infra/local/haproxy.cfg");
  private static final int TLS_PORT = 18_100;

  private final int port;
  private final Process process;

  private HaProxy(int port, Process process) {
    this.port = port;
    this.process = process;
  }

  /** For JUnit's conditions. */
  static boolean isInstalled() {
    return program().isPresent();
  }

  private static Optional<Path> program() {
    return Stream.of((System.getenv("PATH") + ":/usr/sbin").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, "haproxy"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static HaProxy before(TestServer server, Path folder)
      throws IOException, GeneralSecurityException, InterruptedException {
    Tls made = TestCertificate.shared();
    Path pem = folder.resolve("balancer.pem");
    Files.writeString(pem, Files.readString(made.certificate()) + Files.readString(made.key()));
    int port = freePort();
    String text =
        Files.readString(SHIPPED)
            .replace(":" + TLS_PORT, ":" + port)
            .replace(":18080", ":" + freePort())
            .replace(":18090", ":" + freePort())
            .replaceAll(":1808[1-4]", ":" + server.port());
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), text);
    ProcessBuilder builder =
        new ProcessBuilder(program().orElseThrow().toString(), "-db", "-f", file.toString());
    builder.environment().put("CHATFLOW_BALANCER_PEM", pem.toString());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("haproxy.log").toFile());
    HaProxy proxy = new HaProxy(port, builder.start());
    Awaitility.await("HAProxy takes connections").until(proxy::isUp);
    return proxy;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean isUp() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (ConnectException e) {
      return false;
    }
  }

  /** Returns the port of its TLS listener. */
  int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
