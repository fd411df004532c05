package dev.chatflow.broker;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;

/**
 * Does a step at the broker on a channel of its own: what the broker refuses closes the channel it
 * was asked on.
 *
 * <p>Stateless; steps run on the caller's thread.
 */
final class OwnChannel {

  private OwnChannel() {}

  /** What is asked of the broker. */
  interface Step {
    void run(Channel channel) throws IOException;
  }

  /**
   * Runs a step.
   *
   * @param what the step in words, for the error
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

  /** Runs a step; false when what it needs is not there. */
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

  /** Opens a channel that lives longer than a step. */
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

  /** Closes a channel, whatever state it is in. */
  static void close(Channel channel) {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.abort();
    } catch (IOException | ShutdownSignalException _) {
      // Closed is what we wanted.
    }
  }
}
