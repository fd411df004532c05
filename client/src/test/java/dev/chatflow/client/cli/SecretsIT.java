package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.FakeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that secrets are sent to the server but not written to any file. */
final class SecretsIT {
  @TempDir Path directory;

  private final Terminal terminal = new Terminal();

  @Test
  void tokenAndHeadersAreSentButNotWrittenToFiles() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "s3cr3t-token\n");
    Path run = directory.resolve("run");
    try (FakeServer server = FakeServer.start()) {
      String url = server.url().replace("ws://", "ws://bob:pa55word@");
      int code =
          terminal.run(
              "-q",
              "-r",
              "1",
              "-u",
              "3",
              "-m",
              "2",
              "-o",
              run.toString(),
              "--token",
              "@" + file,
              "-H",
              "X-Key:s3cr3t-key",
              "--header=X-More:s3cr3t-more",
              "--local-address",
              "127.0.0.1",
              url);
      assertThat(code).as(terminal.out() + terminal.err()).isZero();
      assertThat(server.headers("Authorization: Bearer s3cr3t-token")).isEqualTo(3);
      assertThat(server.headers("X-Key:s3cr3t-key")).isEqualTo(3);
      assertThat(server.headers("Authorization: Basic Ym9iOnBhNTV3b3Jk")).isEqualTo(3);
    }
    assertThat(terminal.out() + terminal.err()).doesNotContain("s3cr3t", "pa55word");
    try (Stream<Path> files = Files.walk(run)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(each)).as(each.toString()).doesNotContain("s3cr3t", "pa55word");
      }
    }
  }

  @Test
  void eachUserSendsItsOwnTokenAndNoFileContainsTheKey() throws IOException {
    String secret = "s3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t";
    Path key = Files.writeString(directory.resolve("key"), secret);
    Path run = directory.resolve("run");
    try (FakeServer server = FakeServer.start()) {
      int code =
          terminal.run(
              "-q",
              "-r",
              "1",
              "-u",
              "3",
              "-m",
              "2",
              "-o",
              run.toString(),
              "--token-key",
              key.toString(),
              server.url());
      assertThat(code).as(terminal.out() + terminal.err()).isZero();
      assertThat(server.differentHeaders("Authorization: Bearer ey")).isEqualTo(3);
    }
    try (Stream<Path> files = Files.walk(run)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(each))
            .as(each.toString())
            .doesNotContain("s3cr3t-", "Bearer ey");
      }
    }
  }

  @Test
  void commandLinesAreMasked() {
    assertThat(
            Origins.withoutSecrets(
                List.of(
                    "run", "--token", "a", "--token=b", "-Hc:d", "-H", "e:f", "ws://u:p@h/chat")))
        .containsExactly(
            "run", "--token", "***", "--token=***", "-H***", "-H", "***", "ws://u:***@h/chat");
  }

  @Test
  void invalidSecretsAreUsageErrorsThatDoNotRevealThem() {
    assertThat(terminal.run("-q", "-H", "noColon-s3cr3t", "ws://127.0.0.1:1/chat")).isEqualTo(2);
    assertThat(terminal.err()).contains("--header must be").doesNotContain("s3cr3t");
  }
}
