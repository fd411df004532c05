package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.FakeServer;
import dev.chatflow.client.fake.Identity;
import dev.chatflow.client.transport.Certificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests the client with a TLS server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsIT {
  private Identity identity = new Identity(Certificates.unchecked(), Path.of("."));

  @BeforeAll
  void createIdentity(@TempDir Path directory) throws Exception {
    identity = Identity.of(directory, "ip:127.0.0.1");
  }

  @Test
  void serverWithATrustedCertificatePasses() {
    assertThat(run("--cacert", identity.pem().toString())).contains("exit 0", "PASS");
  }

  @Test
  void postsUseTls() {
    assertThat(run("--cacert", identity.pem().toString(), "--transport", "http"))
        .contains("exit 0", "PASS");
  }

  @Test
  void untrustedCertificateIsRejectedWithAHint() {
    assertThat(run()).contains("exit 5", "not trusted", "--cacert", "--insecure");
  }

  @Test
  void insecureAcceptsAnyCertificate() {
    assertThat(run("--insecure")).contains("exit 0", "PASS");
  }

  @Test
  void smokeAndProbeUseTls() {
    try (FakeServer server = FakeServer.start(identity.context())) {
      Terminal terminal = new Terminal();
      assertThat(terminal.run("probe", "-m", "20", "--insecure", server.url())).isZero();
      server.remember();
      assertThat(terminal.run("smoke", "--insecure", server.url())).as(terminal.out()).isZero();
    }
  }

  @Test
  void invalidFilesAndCombinedOptionsAreUsageErrors(@TempDir Path directory) throws Exception {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "no certificate\n");
    assertThat(run("--cacert", empty.toString())).contains("exit 2", "--cacert", "empty.pem");
    assertThat(run("--cacert", "/nonexistent")).contains("exit 2", "--cacert", "/nonexistent");
    assertThat(run("--cacert", identity.pem().toString(), "--insecure"))
        .contains("exit 2", "cannot be combined");
  }

  private String run(String... more) {
    try (FakeServer server = FakeServer.start(identity.context())) {
      Terminal terminal = new Terminal();
      List<String> all = new ArrayList<>(List.of("-q", "-r", "2", "-u", "10", "-m", "200"));
      all.add(server.url());
      all.addAll(List.of(more));
      int code = terminal.run(all.toArray(String[]::new));
      return "exit " + code + "\n" + terminal.out() + terminal.err();
    }
  }
}
