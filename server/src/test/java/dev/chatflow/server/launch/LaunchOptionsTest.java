package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.server.launch.LaunchOptions.Action;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchOptionsTest {

  @Test
  void nothingGivenIsOneServer() throws LaunchException {
    assertThat(LaunchOptions.parse(List.of()))
        .isEqualTo(new LaunchOptions(Action.RUN, 1, false, null, "", "", false, Map.of()));
  }

  @Test
  void optionsBecomeSettings() throws LaunchException {
    LaunchOptions options =
        LaunchOptions.parse(List.of("--port", "80", "--broker=amqp://u:p@h?a=b", "--servers=3"));

    assertThat(options.servers()).isEqualTo(3);
    assertThat(options.namesBroker()).isTrue();
    assertThat(options.settings())
        .containsEntry("chatflow.port", "80")
        .containsEntry("chatflow.amqp.uri", "amqp://u:p@h?a=b");
  }

  @Test
  void actionsAreReported() throws LaunchException {
    assertThat(LaunchOptions.parse(List.of("--check")).action()).isEqualTo(Action.CHECK);
    assertThat(LaunchOptions.parse(List.of("--print-effective")).action()).isEqualTo(Action.PRINT);
    assertThat(LaunchOptions.parse(List.of("--generate-config")).action())
        .isEqualTo(Action.GENERATE);
    assertThat(LaunchOptions.parse(List.of("-h")).action()).isEqualTo(Action.HELP);
    assertThat(LaunchOptions.parse(List.of("--unpack=to")))
        .extracting(LaunchOptions::action, LaunchOptions::unpackTo)
        .containsExactly(Action.UNPACK, "to");
    assertThat(LaunchOptions.parse(List.of("--child")).child()).isTrue();
    assertThat(LaunchOptions.parse(List.of("--broker-file", "f")).brokerFile()).isEqualTo("f");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--unknown",
        "extra",
        "--servers=0",
        "--servers=17",
        "--servers=x",
        "--port",
        "--unpack"
      })
  void wrongOptionsAreRefusedByName(String argument) {
    assertThatThrownBy(() -> LaunchOptions.parse(List.of(argument)))
        .isInstanceOfSatisfying(LaunchException.class, e -> assertThat(e.status()).isEqualTo(2))
        .hasMessageContaining(argument.split("=", 2)[0]);
  }

  @Test
  void settingsThatConflictWithSecureAreNamed() throws LaunchException {
    assertThat(LaunchOptions.parse(List.of("--secure")).trial()).isNotNull();
    System.setProperty("chatflow.token.keys", "keys.pem");
    try {
      assertThatThrownBy(() -> LaunchOptions.parse(List.of("--secure")))
          .hasMessageContaining("remove CHATFLOW_TOKEN_KEYS");
    } finally {
      System.clearProperty("chatflow.token.keys");
    }
  }

  @Test
  void anOwnKeyYieldsToASetting() throws LaunchException {
    List<String> arguments = List.of("--own-key", "token.key");
    TokenSetup own = LaunchOptions.parse(arguments).trial();
    assertThat(own).isNotNull();
    assertThat(own.settings()).containsOnly(Map.entry("chatflow.token.keys", "token.key"));
    for (String property : List.of("chatflow.token.keys", "chatflow.auth")) {
      System.setProperty(property, "none");
      try {
        assertThat(LaunchOptions.parse(arguments).trial()).as(property).isNull();
      } finally {
        System.clearProperty(property);
      }
    }
  }

  @Test
  void aFileNamesTheBrokerAndTheFilesOfSecure(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("chatflow.properties");
    Files.writeString(file, "CHATFLOW_AMQP_URI=amqp://h\nCHATFLOW_AUTH=none\n");
    String named = "--config=" + file;
    LaunchOptions options = LaunchOptions.parse(List.of(named, "--own-key", "token.key"));
    assertThat(options.namesBroker()).isTrue();
    assertThat(options.trial()).isNull();
    assertThat(options.settings()).containsEntry("chatflow.config", file.toString());
    assertThatThrownBy(() -> LaunchOptions.parse(List.of(named, "--secure")))
        .hasMessageContaining("remove CHATFLOW_AUTH");
    assertThatThrownBy(() -> LaunchOptions.parse(List.of("--config", "/nowhere")))
        .isInstanceOfSatisfying(LaunchException.class, e -> assertThat(e.status()).isEqualTo(2))
        .hasMessageContaining("CHATFLOW_CONFIG=/nowhere");
  }

  @Test
  void passwordOnTheCommandLineIsNoticed() throws LaunchException {
    for (String uri : List.of("amqp://u:p@h", "amqps://:p@h:5671/v")) {
      assertThat(LaunchOptions.parse(List.of("--broker", uri)).showsPassword()).as(uri).isTrue();
    }
    for (String uri : List.of("amqp://h:5672", "amqp://u@h:5672/v", "amqp://u:@h")) {
      assertThat(LaunchOptions.parse(List.of("--broker", uri)).showsPassword()).as(uri).isFalse();
    }
    assertThat(LaunchOptions.parse(List.of()).showsPassword()).isFalse();
  }
}
