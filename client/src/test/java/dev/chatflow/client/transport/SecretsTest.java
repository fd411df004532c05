package dev.chatflow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "amqp://u:S3CRET@host:5672/v | amqp://u:***@host:5672/v",
        "u:S3CRET@host:5672 | u:***@host:5672",
        ":S3CRET@host | :***@host",
        "amqp:/u:S3CRET@host | amqp:***@host",
        "//u:S3CRET@host | //u:***@host",
        "AMQP://u:S3CRET@host | AMQP://u:***@host",
        "amqp://u:S3/C@R?E#T@host | amqp://u:***@host",
        "amqp://u:S3CRET@one,amqp://u:S3CRET@two | amqp://u:***@two",
        "u:S3CRET@one:1,u:S3CRET@two:2 | u:***@two:2",
        "https://u:S3CRET@idp/jwks | https://u:***@idp/jwks",
        "https://idp/jwks?access_token=S3CRET&x=1 | https://idp/jwks?access_token=***&x=1",
        "jdbc:postgresql://h:5432/d?user=a@b&password=S3CRET&ssl=true"
            + " | jdbc:postgresql://h:5432/d?user=a@b&password=***&ssl=true",
        "jdbc:postgresql://u:S3CRET@h/d | jdbc:postgresql://u:***@h/d",
        "jdbc:postgresql:d?PASSWORD=S3CRET | jdbc:postgresql:d?PASSWORD=***",
        "jdbc:postgresql://h/d?sslpassword=S3CRET | jdbc:postgresql://h/d?sslpassword=***"
      })
  void passwordsAreMaskedInEveryFormOfAddress(String address, String shown) {
    assertThat(Secrets.masked(address)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "amqp://host:5672/v",
    "amqp://u@host",
    "http://[::1]:80/x",
    "/etc/chatflow@1/key",
    "17"
  })
  void textsWithoutAPasswordAreUnchanged(String text) {
    assertThat(Secrets.masked(text)).isEqualTo(text);
  }
}
