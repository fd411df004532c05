package dev.chatflow.consumer;

import com.rabbitmq.client.Connection;
import dev.chatflow.broker.BrokerException;
import dev.chatflow.message.line.DeadLetter;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer thread reads and what becomes of it: that of a server, or that of the standalone
 * consumer.
 *
 * <p>The consumer thread alone calls.
 */
public interface Duty {

  /** The queue to read. */
  String queue();

  /** Whether nobody else may read the queue at the same time. */
  boolean readsAlone();

  /** Whether a queue that was read to the end is of no use to anybody. */
  boolean deletesQueue();

  /** Makes sure that everything to read from exists. */
  void declare(Connection connection) throws BrokerException;

  /**
   * The queue is read now; what was not acknowledged may come again.
   *
   * @param epoch counts from 1
   */
  void opened(int epoch);

  /** The queue is not read now. */
  void closed();

  /** Takes one AMQP message; it may be acknowledged when this returns. */
  void take(Delivery delivery, long nowMillis);

  /** What waits to be published to the dead letters, oldest first; the taker removes. */
  Queue<DeadLetter> deadLetters();

  /** Lets time pass; about every 50 ms, also while the queue is not read. */
  void tick(long nowMillis);

  /**
   * Looks after the open queue; often.
   *
   * @param idle whether nothing waits to be taken
   * @return why it must be opened anew, or null
   */
  @Nullable String wrong(boolean idle) throws BrokerException;
}
