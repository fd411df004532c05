package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretsTest {
  @TempDir Path directory;

  @Test
  void allCredentialsAreSentAsHeaders() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "  from-file \nsecond line\n");
    var access =
        Parsed.of("--token @" + file + " -H X-Tenant:7 ws://me:pass@host/chat")
            .options
            .run
            .access();
    assertThat(access.headers())
        .containsExactly(
            "X-Tenant:7", "Authorization: Bearer from-file", "Authorization: Basic bWU6cGFzcw==");
    assertThat(Parsed.plan("ws://me:pass@host/chat").target().urls())
        .containsExactly("ws://host/chat");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NoColon", "Bad Name:1", "Tab:a\tb", "Line:a\r\nEvil: 1"})
  void malformedHeadersAreRejectedWithoutRevealingThem(String header) {
    assertThatThrownBy(() -> Secrets.header(header))
        .hasMessage("--header must be NAME:VALUE in printable ASCII");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "umlaut-ä"})
  void malformedTokensAreRejectedWithoutRevealingThem(String token) {
    assertThatThrownBy(() -> Secrets.token(token))
        .hasMessage("--token must be 1 to 4096 printable ASCII characters");
  }

  @Test
  void unreadableTokenFileIsNamed() {
    assertThatThrownBy(() -> Secrets.token("@" + directory.resolve("absent")))
        .hasMessageStartingWith("--token: cannot read ");
  }

  @Test
  void localAddressesMayBeNumbersOrNames() {
    assertThat(Secrets.address("127.0.0.1").isLoopbackAddress()).isTrue();
    assertThatThrownBy(() -> Secrets.address("no-such-host.invalid"))
        .hasMessageContaining("--local-address must be an address of this machine");
  }
}
