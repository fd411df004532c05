package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ReadyCheckTest {

  private static String obstacle(int status, String body) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    server.createContext(
        "/ready",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    try {
      String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/ready";
      return String.valueOf(new ReadyCheck(URI.create(address)).obstacle());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aReadyServerHasNoObstacle() throws Exception {
    assertThat(obstacle(200, "{\"ready\":true}")).isEqualTo("null");
  }

  @Test
  void theServersOwnReasonIsReported() throws Exception {
    assertThat(obstacle(503, "{\"ready\":false,\"reason\":\"the sink is being tested\"}"))
        .isEqualTo("the sink is being tested");
  }

  @Test
  void anAnswerWithoutReasonIsReportedByItsStatus() throws Exception {
    assertThat(obstacle(503, "")).isEqualTo("status 503");
  }

  @Test
  void aServerThatDoesNotListenIsReported() {
    assertThat(new ReadyCheck(URI.create("http://127.0.0.1:1/ready")).obstacle())
        .isEqualTo("its admin listener does not answer");
  }
}
