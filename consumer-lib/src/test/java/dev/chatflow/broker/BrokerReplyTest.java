package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class BrokerReplyTest {

  private static IOException closed(int code, String text) {
    AMQP.Channel.Close close =
        new AMQP.Channel.Close.Builder().replyCode(code).replyText(text).build();
    return new IOException(new ShutdownSignalException(false, false, close, null));
  }

  @Test
  void messageOfTheBrokerIsReported() {
    IOException failure = closed(AMQP.NOT_FOUND, "NOT_FOUND - no queue 'chat.dead'");
    assertThat(BrokerReply.text(failure)).isEqualTo("NOT_FOUND - no queue 'chat.dead'");
    assertThat(BrokerReply.code(failure)).isEqualTo(AMQP.NOT_FOUND);
  }

  @Test
  void missingPermissionIsReportedWithItsScript() {
    IOException failure =
        closed(AMQP.ACCESS_REFUSED, "ACCESS_REFUSED - write access to exchange 'x' refused");
    assertThat(BrokerReply.text(failure))
        .contains("does not have this permission", "infra/rabbitmq/definitions");
  }

  @Test
  void failureWithoutTheBrokersWordsIsItsOwnMessage() {
    assertThat(BrokerReply.text(new IOException("broken pipe"))).isEqualTo("broken pipe");
    assertThat(BrokerReply.text(null)).isEqualTo("null");
    assertThat(BrokerReply.code(null)).isZero();
  }
}
