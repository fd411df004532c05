package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class ServerAddressesTest {

  @Test
  void loopbackIsNotCalledOpen() {
    String text = new ServerAddresses("127.0.0.1", 8080, "127.0.0.1", 8081).describe();

    assertThat(text)
        .contains("ws://127.0.0.1:8080/chat/{room}", "http://127.0.0.1:8080/health")
        .contains("http://127.0.0.1:8081/ready")
        .doesNotContain("network");
  }

  @Test
  void whatListensPubliclySaysSo() {
    String text = new ServerAddresses("0.0.0.0", 8080, "127.0.0.1", 8081).describe();

    assertThat(text)
        .contains("http://127.0.0.1:8080/", "open    to the network: listens on 0.0.0.0");
  }

  @Test
  void readinessIsAskedOfAnAddressThatCanBeReached() {
    assertThat(new ServerAddresses("::1", 1, "::", 2).ready())
        .isEqualTo(URI.create("http://[::1]:2/ready"));
    assertThat(new ServerAddresses("::1", 1, "0.0.0.0", 2).ready())
        .isEqualTo(URI.create("http://127.0.0.1:2/ready"));
  }
}
