package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerConfigTest {

  @Test
  void thePasswordIsNeverShown() {
    BrokerConfig config = BrokerConfig.of(URI.create("amqp://chat:secret@broker:5672/prod"));
    assertThat(config.maskedUri()).isEqualTo("amqp://chat:***@broker:5672/prod");
    assertThat(config).hasToString(config.maskedUri());
  }

  @Test
  void anotherSchemeIsRefusedWithoutShowingThePassword() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BrokerConfig.of(URI.create("http://chat:secret@broker")))
        .withMessageContaining("amqp://")
        .withMessageContaining("chat:***@broker");
  }

  @Test
  void aHostMustBeNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BrokerConfig.of(URI.create("amqp:///prod")))
        .withMessageContaining("names no host");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "b-1234.mq.eu-central-1.amazonaws.com:5671",
        "B-1234.mq.us-east-1.on.aws",
        "one,b-1.mq.cn-north-1.amazonaws.com.cn"
      })
  void amazonMqIsRefusedByNameForItLosesLogs(String hosts) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BrokerConfig.parse("amqps://chat:secret@" + hosts))
        .withMessageContaining("Amazon MQ accepts logs (streams) but loses their entries")
        .withMessageNotContaining("secret");
  }

  @Test
  void ownMachinesAtAwsAreNoAmazonMq() {
    String uri = "amqp://chat@ip-10-0-0-1.eu-central-1.compute.amazonaws.com";
    assertThat(BrokerConfig.parse(uri)).hasToString(uri);
  }

  @Test
  void severalHostsShareUserAndVirtualHost() {
    BrokerConfig config = BrokerConfig.parse("amqp://chat:s,cret@one:5672,two,three:5673/prod");
    assertThat(config.uris())
        .containsExactly(
            URI.create("amqp://chat:s,cret@one:5672/prod"),
            URI.create("amqp://chat:s,cret@two/prod"),
            URI.create("amqp://chat:s,cret@three:5673/prod"));
    assertThat(config).hasToString("amqp://chat:***@one:5672,two,three:5673/prod");
  }

  @Test
  void severalUrisMayBeWrittenOut() {
    BrokerConfig config = BrokerConfig.parse("amqps://u:p@one/v,amqps://u:p@two:5671/v");
    assertThat(config.uris())
        .containsExactly(URI.create("amqps://u:p@one/v"), URI.create("amqps://u:p@two:5671/v"));
    assertThat(config).hasToString("amqps://u:***@one,two:5671/v");
  }

  @Test
  void oneAddressIsReadAsItIs() {
    for (String text : new String[] {"amqp://localhost", "amqp://u@h:1/", "amqp://[::1]:5672/v"}) {
      BrokerConfig config = BrokerConfig.parse(text);
      assertThat(config.uris()).containsExactly(URI.create(text));
      assertThat(config).hasToString(text);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "amqp://chat:secret@one,amqp://chat:other-secret@two | differ only in host and port",
        "amqp://chat:secret@one/a,amqp://chat:secret@two/b | differ only in host and port",
        "amqp://chat:secret@one,amqps://chat:secret@two | differ only in host and port",
        "amqp://chat:secret@one:5672,one:5672 | named twice",
        "amqp://chat:secret@one,,two | names no host",
        "amqp://chat:secret@one, | names no host",
        "amqp://chat:sec ret@one | is none",
        "http://chat:secret@one,two | must start with amqp://",
        "chat:secret@one:5672 | must start with amqp://",
        "amqp://chat:secret%zz@one | is none",
        "amqp://chat:secret%E4@one | not UTF-8"
      })
  void invalidAddressListIsReportedWithoutThePassword(String text, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BrokerConfig.parse(text))
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret", "ret@"));
  }

  @Test
  void userPasswordAndVirtualHostAreDecodedAsUtf8() {
    BrokerConfig config =
        BrokerConfig.parse("amqp://%C3%BCser:p%C3%A4ss%E2%82%AC+%40@one/pr%C3%B6d");
    assertThat(config.user()).isEqualTo("üser");
    assertThat(config.password()).isEqualTo("päss€+@");
    assertThat(config.virtualHost()).isEqualTo("pröd");
    assertThat(BrokerConfig.parse("amqp://one").password()).isNull();
    assertThat(BrokerConfig.parse("amqp://one/").virtualHost()).isEqualTo("/");
    assertThat(BrokerConfig.parse("amqp://one/%2F").virtualHost()).isEqualTo("/");
  }

  @Test
  void aPasswordIsDetectedAnywhere() {
    assertThat(BrokerConfig.holdsPassword("amqp://chat:secret@one,two")).isTrue();
    assertThat(BrokerConfig.holdsPassword("amqp://one:5672,amqp://chat:secret@two")).isTrue();
    assertThat(BrokerConfig.holdsPassword("amqp://chat@one:5672,two:5672")).isFalse();
  }
}
