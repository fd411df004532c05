package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class ServerAddressesTest {

  @Test
  void loopbackIsNotCalledOpen() {
    String text = new ServerAddresses("127.0.0.1", 8080, false, "127.0.0.1", 8081).describe();

    assertThat(text)
        .contains("ws://127.0.0.1:8080/chat/{room}", "http://127.0.0.1:8080/health")
        .contains("http://127.0.0.1:8081/ (operations page")
        .doesNotContain("network");
  }

  @Test
  void publicListenerIsReported() {
    String text = new ServerAddresses("0.0.0.0", 8080, false, "127.0.0.1", 8081).describe();

    assertThat(text)
        .contains("http://127.0.0.1:8080/", "open    to the network: listens on 0.0.0.0");
  }

  @Test
  void readinessIsAskedOfAnAddressThatCanBeReached() {
    assertThat(new ServerAddresses("::1", 1, false, "::", 2).ready())
        .isEqualTo(URI.create("http://[::1]:2/ready"));
    assertThat(new ServerAddresses("::1", 1, false, "0.0.0.0", 2).ready())
        .isEqualTo(URI.create("http://127.0.0.1:2/ready"));
  }

  @Test
  void encryptedAddressesAreNamedAsTheyAreReached() {
    assertThat(new ServerAddresses("127.0.0.1", 8443, true, "127.0.0.1", 8081).describe())
        .contains("wss://127.0.0.1:8443/chat/{room}", "https://127.0.0.1:8443/health")
        .contains("http://127.0.0.1:8081/ (operations page");
  }
}
