package dev.chatflow.server.publish.channel;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.room.Shard;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A broker in memory: notes what it is asked, answers as told, else takes everything.
 *
 * <p>Any thread.
 */
public final class FakeUplink implements Uplink {

  /** What happens to the next flight that is sent. */
  public interface Answer {
    Confirm to(Flight flight) throws InterruptedException;
  }

  /** In the order they happened: attempts to send, binds and unbinds. */
  public final List<String> events = new CopyOnWriteArrayList<>();

  /** Every attempt. */
  public final List<Flight> attempts = new CopyOnWriteArrayList<>();

  /** What the broker took. */
  public final List<Flight> taken = new CopyOnWriteArrayList<>();

  final AtomicInteger channelsOpened = new AtomicInteger();
  public final AtomicInteger channelsClosed = new AtomicInteger();

  private volatile boolean open = true;

  // Guarded by this
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final Deque<Confirm> bindAnswers = new ArrayDeque<>();
  private final Deque<FakeChannel> channels = new ArrayDeque<>();

  public synchronized void next(Answer answer) {
    answers.add(answer);
  }

  public synchronized void nextBind(Confirm answer) {
    bindAnswers.add(answer);
  }

  public synchronized void open(boolean isOpen) {
    open = isOpen;
    notifyAll();
  }

  /** All channels end. */
  public synchronized void closeChannels() {
    channels.forEach(channel -> channel.open = false);
  }

  @Override
  public synchronized boolean awaitOpen(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    long left = patience.toMillis();
    while (!open && left > 0) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    return open;
  }

  @Override
  public synchronized PooledChannel openChannel() throws BrokerException {
    if (!open) {
      throw new BrokerException("no connection");
    }
    channelsOpened.incrementAndGet();
    FakeChannel channel = new FakeChannel();
    channels.add(channel);
    return channel;
  }

  private synchronized Answer answer() {
    Answer told = answers.poll();
    return told == null ? _ -> new Confirm.Acked() : told;
  }

  private synchronized Confirm bindAnswer() {
    Confirm told = bindAnswers.poll();
    return told == null ? new Confirm.Acked() : told;
  }

  private final class FakeChannel implements PooledChannel {
    private volatile boolean open = true;

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public Confirm send(Flight flight) throws InterruptedException {
      events.add((flight.isBeacon() ? "beacon " : "flight ") + flight.sequence());
      attempts.add(flight);
      Confirm confirm = answer().to(flight);
      if (confirm instanceof Confirm.Acked) {
        taken.add(flight);
      }
      return confirm;
    }

    @Override
    public Confirm bind(String queue, Shard shard) {
      events.add("bind " + queue);
      return bindAnswer();
    }

    @Override
    public Confirm unbind(String queue, Shard shard) {
      events.add("unbind " + queue);
      return new Confirm.Acked();
    }

    @Override
    public void close() {
      open = false;
      channelsClosed.incrementAndGet();
    }
  }
}
