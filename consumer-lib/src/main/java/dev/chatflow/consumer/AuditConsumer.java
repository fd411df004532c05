package dev.chatflow.consumer;

import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.broker.ShardMismatchException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads every message of the cluster from queues of its own, beside the servers, and brings it to
 * {@link Recorder}s, each message once.
 *
 * <p>Runs the threads {@code chat-consumer-n}, each with a channel and the durable queue {@code
 * chat.audit.n}, which outlives a restart. Any thread may call.
 */
public final class AuditConsumer implements AutoCloseable {

  /**
   * One of the queues.
   *
   * @param name its name on the broker
   * @param open whether it is read now
   * @param depth AMQP messages that wait in it, as it was up to five seconds ago
   */
  public record QueueState(String name, boolean open, long depth) {}

  private final List<AuditDuty> duties = new ArrayList<>();
  private final ConsumerThreads threads;

  /**
   * Makes a consumer that does nothing before {@link #start}.
   *
   * @param config its threads are the queues; server id and boot play no part
   * @param fresh whether what lies in the queues at the start is of no interest and goes
   * @param recorders of each thread, by its number
   */
  public AuditConsumer(
      ConsumerConfig config,
      boolean fresh,
      BrokerConnector connector,
      List<? extends Recorder> recorders,
      ConsumerMeter meter) {
    List<ConsumerThread> roles = new ArrayList<>();
    for (int thread = 0; thread < config.threads(); thread++) {
      AuditDuty duty =
          new AuditDuty(config, thread, fresh, connector, recorders.get(thread), meter);
      duties.add(duty);
      roles.add(new ConsumerThread(thread, connector, config.prefetch(), duty, meter));
    }
    threads = new ConsumerThreads(roles);
  }

  public void start() {
    threads.start();
  }

  /**
   * Completes when all queues were read for the first time; fails with {@link
   * ShardMismatchException} when this process must not run, and is cancelled by {@link #close}.
   */
  public CompletableFuture<Void> started() {
    return threads.started();
  }

  /** Whether all queues are read now. */
  public boolean isReady() {
    return threads.isReady();
  }

  /** While not all threads are ready: why, in words for an operator. */
  public String trouble() {
    return threads.trouble();
  }

  /** Why threads ended for good: the cluster has another number of shards; or null. */
  public @Nullable ShardMismatchException failure() {
    return threads.failure();
  }

  public List<QueueState> queues() {
    return duties.stream().map(AuditDuty::state).toList();
  }

  /** Records what was handed over, acknowledges it, ends the threads; the queues stay. */
  @Override
  public void close() {
    threads.close();
  }
}
