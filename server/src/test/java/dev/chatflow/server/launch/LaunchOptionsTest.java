package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.server.launch.LaunchOptions.Action;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchOptionsTest {

  @Test
  void nothingGivenIsOneServer() throws StartException {
    assertThat(LaunchOptions.parse(List.of()))
        .isEqualTo(new LaunchOptions(Action.RUN, 1, false, false, "", Map.of()));
  }

  @Test
  void optionsBecomeSettings() throws StartException {
    LaunchOptions options =
        LaunchOptions.parse(List.of("--port", "80", "--broker=amqp://u:p@h?a=b", "--servers=3"));

    assertThat(options.servers()).isEqualTo(3);
    assertThat(options.namesBroker()).isTrue();
    assertThat(options.settings())
        .containsEntry("chatflow.port", "80")
        .containsEntry("chatflow.amqp.uri", "amqp://u:p@h?a=b");
  }

  @Test
  void actionsAreTold() throws StartException {
    assertThat(LaunchOptions.parse(List.of("--check")).action()).isEqualTo(Action.CHECK);
    assertThat(LaunchOptions.parse(List.of("--print-effective")).action()).isEqualTo(Action.PRINT);
    assertThat(LaunchOptions.parse(List.of("-h")).action()).isEqualTo(Action.HELP);
    assertThat(LaunchOptions.parse(List.of("--child")).child()).isTrue();
    assertThat(LaunchOptions.parse(List.of("--broker-file", "f")).brokerFile()).isEqualTo("f");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--unknown", "extra", "--servers=0", "--servers=17", "--servers=x", "--port"})
  void wrongOptionsAreRefusedByName(String argument) {
    assertThatThrownBy(() -> LaunchOptions.parse(List.of(argument)))
        .isInstanceOfSatisfying(StartException.class, e -> assertThat(e.status()).isEqualTo(2))
        .hasMessageContaining(argument.split("=", 2)[0]);
  }

  @Test
  void whatIsSetBesidesSecureIsNamed() throws StartException {
    LaunchOptions secure = LaunchOptions.parse(List.of("--secure"));
    assertThat(secure.secure()).isTrue();
    assertThat(secure.ownSecurity()).isEmpty();
    System.setProperty("chatflow.token.keys", "keys.pem");
    try {
      assertThat(secure.ownSecurity()).isEqualTo("CHATFLOW_TOKEN_KEYS");
    } finally {
      System.clearProperty("chatflow.token.keys");
    }
  }

  @Test
  void passwordOnTheCommandLineIsNoticed() throws StartException {
    for (String uri : List.of("amqp://u:p@h", "amqps://:p@h:5671/v")) {
      assertThat(LaunchOptions.parse(List.of("--broker", uri)).showsPassword()).as(uri).isTrue();
    }
    for (String uri : List.of("amqp://h:5672", "amqp://u@h:5672/v", "amqp://u:@h")) {
      assertThat(LaunchOptions.parse(List.of("--broker", uri)).showsPassword()).as(uri).isFalse();
    }
    assertThat(LaunchOptions.parse(List.of()).showsPassword()).isFalse();
  }
}
