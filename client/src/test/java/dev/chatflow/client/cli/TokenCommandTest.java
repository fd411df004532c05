package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command that creates keys and tokens. */
final class TokenCommandTest {
  @TempDir Path directory;

  private final Terminal terminal = new Terminal();
  private String key = "";

  @BeforeEach
  void makeKey() {
    key = directory.resolve("token.key").toString();
    assertThat(terminal.run("token", "--new-key", key)).as(terminal.err()).isZero();
    assertThat(terminal.out()).isEmpty();
  }

  private static JsonObject claims(String token) {
    String part = token.strip().split("\\.", -1)[1];
    byte[] json = Base64.getUrlDecoder().decode(part);
    return JsonParser.parseString(new String(json, StandardCharsets.UTF_8)).getAsJsonObject();
  }

  private void refused(String why, String... arguments) {
    Terminal other = new Terminal();
    assertThat(other.run(arguments)).isEqualTo(2);
    assertThat(other.err()).contains(why);
    assertThat(other.out()).isEmpty();
  }

  @Test
  void newKeyIsReadableOnlyByItsOwner() throws IOException {
    Path file = Path.of(key);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(file)).matches("[0-9a-f]{64}\n");
    refused("exists already", "token", "--new-key", key);
  }

  @Test
  void tokenOfAModeratorIsForItsRoom() {
    terminal.run("token", "--key", key, "--service", "--room", "5", "--moderate");
    assertThat(claims(terminal.out()).get("moderate")).hasToString("[\"5\"]");
  }

  @Test
  void tokenNamesUserAndRoom() {
    terminal.run("token", "--key", key, "--user", "17", "--room", "5", "--name", "ann");
    JsonObject claims = claims(terminal.out());
    assertThat(claims.get("sub").getAsString()).isEqualTo("17");
    assertThat(claims.get("name").getAsString()).isEqualTo("ann");
    assertThat(claims.get("rooms")).hasToString("[\"5\"]");
  }

  @Test
  void serviceTokenAllowsEveryUserAndRoom() {
    terminal.run("token", "--key", key, "--service");
    JsonObject claims = claims(terminal.out());
    assertThat(claims.get("sub").getAsString()).isEqualTo("*");
    assertThat(claims.get("rooms")).hasToString("[\"*\"]");
    assertThat(claims.has("name")).isFalse();
  }

  @Test
  void linkCarriesTheTokenInItsFragment() {
    terminal.run("token", "--key", key, "--user", "17", "--room", "5", "--link");
    assertThat(terminal.out()).startsWith("http://localhost:8080/rooms/5#token=ey");
  }

  @Test
  void missingAndInvalidOptionsAreNamed() {
    refused("--key FILE is required", "token", "--user", "17", "--room", "5");
    refused("either --user ID or --service", "token", "--key", key, "--room", "5");
    refused("--room ROOM is required", "token", "--key", key, "--user", "17");
    refused("--ttl must be 1s or more", "token", "--key", key, "--service", "--ttl", "0");
    refused("cannot use", "token", "--key", directory + "/none", "--service");
  }

  @Test
  void runRejectsInvalidTokenOptions() {
    refused("cannot be combined", "--token", "x", "--token-key", key, "ws://127.0.0.1:1/chat");
    refused("--token-ttl must be 1s", "--token-key", key, "--token-ttl", "10ms");
  }
}
