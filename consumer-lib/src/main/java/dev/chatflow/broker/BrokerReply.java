package dev.chatflow.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;

/** Describes the broker's reason for closing a channel or connection. Stateless. */
public final class BrokerReply {

  private static final String LACKS_RIGHT =
      " (the user in CHATFLOW_AMQP_URI does not have this permission; infra/rabbitmq/definitions has what each"
          + " role needs)";

  private BrokerReply() {}

  /** Returns the AMQP reply code of a failure, or 0. */
  public static int code(@Nullable Throwable failure) {
    return switch (close(failure)) {
      case AMQP.Channel.Close channel -> channel.getReplyCode();
      case AMQP.Connection.Close connection -> connection.getReplyCode();
      case null, default -> 0;
    };
  }

  /**
   * Returns the broker's message, with a hint if a permission is missing; else the failure's
   * message.
   */
  public static String text(@Nullable Throwable failure) {
    String text =
        switch (close(failure)) {
          case AMQP.Channel.Close channel -> channel.getReplyText();
          case AMQP.Connection.Close connection -> connection.getReplyText();
          case null, default -> plain(failure);
        };
    return code(failure) == AMQP.ACCESS_REFUSED ? text + LACKS_RIGHT : text;
  }

  private static String plain(@Nullable Throwable failure) {
    return failure == null || failure.getMessage() == null
        ? String.valueOf(failure)
        : failure.getMessage();
  }

  private static @Nullable Method close(@Nullable Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof ShutdownSignalException signal) {
        return signal.getReason();
      }
    }
    return null;
  }
}
