package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedServerTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private EmbeddedServer server(int port) throws Exception {
    Path application = Files.createDirectories(folder.resolve("application"));
    EmbeddedServer.Listening listening =
        new EmbeddedServer.Listening("127.0.0.1", port, 10, null, false);
    PrintStream log = new PrintStream(folder.resolve("log").toFile(), StandardCharsets.UTF_8);
    return new EmbeddedServer(application, listening, new ContainerLog(log), _ -> {});
  }

  /** A client that connected early waited for ten seconds on a busy machine. */
  @Test
  void namedPortDoesNotListenBeforeTheApplicationAnswers() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    EmbeddedServer server = server(port);
    assertThat(server.bind()).isEqualTo(port);
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(ConnectException.class);
    server.stop();
  }

  @Test
  void portInUseIsReportedBeforeAnythingStarts() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      EmbeddedServer server = server(taken.getLocalPort());
      assertThatThrownBy(server::bind)
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("port " + taken.getLocalPort() + " is in use");
      server.stop();
    }
  }
}
