package dev.chatflow.broker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;

/**
 * Executes a request to the broker on a separate channel, because a refused request closes its
 * channel.
 *
 * <p>Stateless; requests run on the caller's thread.
 */
final class OwnChannel {

  private OwnChannel() {}

  /** A request to the broker. */
  interface Step {
    void run(Channel channel) throws IOException;
  }

  /**
   * Executes a request.
   *
   * @param what description of the request for errors
   */
  static void run(Connection connection, String what, Step step) throws BrokerException {
    Channel channel = open(connection, what);
    try {
      step.run(channel);
    } catch (IOException | ShutdownSignalException e) {
      throw new BrokerException("cannot " + what + ": " + BrokerReply.text(e), e);
    } finally {
      close(channel);
    }
  }

  /** Executes a request; false if an object it needs does not exist. */
  @CanIgnoreReturnValue
  static boolean found(Connection connection, Step step) throws BrokerException {
    try {
      run(connection, "look up", step);
      return true;
    } catch (BrokerException e) {
      if (BrokerReply.code(e.getCause()) == AMQP.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  /** Opens a channel that outlives a single request. */
  static Channel open(Connection connection, String what) throws BrokerException {
    try {
      Channel channel = connection.createChannel();
      if (channel == null) {
        throw new BrokerException("cannot " + what + ": no channel left on the connection");
      }
      return channel;
    } catch (IOException | ShutdownSignalException e) {
      throw new BrokerException("cannot " + what + ": " + BrokerReply.text(e), e);
    }
  }

  /** Closes a channel in any state. */
  static void close(Channel channel) {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.abort();
    } catch (IOException | ShutdownSignalException _) {
      // closed is the goal
    }
  }
}
