package dev.chatflow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ConnectTroubleTest {

  private static final String URI = "amqp://guest:***@192.0.2.1";

  private final ConnectionFactory factory = new ConnectionFactory();

  @Test
  void guestRefusedByARemoteBrokerIsExplainedWithTheHost() {
    factory.setHost("192.0.2.1"); // a documentation address: no name is looked up
    assertThat(explain(new AuthenticationFailureException("ACCESS_REFUSED")))
        .contains(URI + " refused user guest")
        .contains("only from its own machine")
        .contains("create a user for ChatFlow on 192.0.2.1")
        .contains("CHATFLOW_AMQP_URI");
  }

  @Test
  void guestRefusedByThisMachinesBrokerIsAMatterOfThePassword() {
    factory.setHost("127.0.0.1");
    assertThat(explain(new PossibleAuthenticationFailureException("refused")))
        .contains("check user, password and virtual host")
        .doesNotContain("only from its own machine");
  }

  @Test
  void anotherUserIsNamed() {
    factory.setHost("192.0.2.1");
    factory.setUsername("chat");
    assertThat(explain(new AuthenticationFailureException("ACCESS_REFUSED")))
        .contains("refused user chat")
        .contains("check user, password and virtual host");
  }

  @Test
  void anUnknownHostIsNamed() {
    factory.setHost("broker.invalid");
    assertThat(explain(new UnknownHostException("broker.invalid")))
        .isEqualTo("host broker.invalid of " + URI + " is unknown");
  }

  @Test
  void otherFailuresAreReportedByTheirCause() {
    assertThat(explain(new ConnectException("Connection refused")))
        .isEqualTo(URI + ": Connection refused");
    assertThat(explain(new IOException(new IllegalStateException("vhost is down"))))
        .isEqualTo(URI + ": vhost is down");
    assertThat(explain(new IOException())).isEqualTo(URI + ": java.io.IOException");
  }

  private String explain(Exception e) {
    return ConnectFailure.explain(factory, URI, e);
  }
}
