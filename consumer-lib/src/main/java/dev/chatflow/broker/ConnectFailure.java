package dev.chatflow.broker;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/** Describes for operators why a connection failed. Stateless; never shows a password. */
final class ConnectFailure {

  private ConnectFailure() {}

  static String explain(ConnectionFactory factory, String maskedUri, Exception e) {
    if (e instanceof AuthenticationFailureException
        || e instanceof PossibleAuthenticationFailureException) {
      return "broker %s refused user %s: %s"
          .formatted(maskedUri, factory.getUsername(), advice(factory));
    }
    if (e instanceof UnknownHostException) {
      return "host %s of %s is unknown".formatted(factory.getHost(), maskedUri);
    }
    if (e instanceof SSLException) {
      return "%s: %s; set CHATFLOW_AMQP_CA to a file of authorities that signed the broker's certificate for the name in its URI"
          .formatted(maskedUri, e.getMessage());
    }
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return maskedUri + ": " + why;
  }

  private static String advice(ConnectionFactory factory) {
    if ("guest".equals(factory.getUsername()) && !isLoopback(factory.getHost())) {
      return "RabbitMQ accepts the user guest only from its own machine; create a user for ChatFlow on "
          + factory.getHost()
          + " and set it in CHATFLOW_AMQP_URI";
    }
    return "check user, password and virtual host in CHATFLOW_AMQP_URI";
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException _) {
      return false;
    }
  }
}
