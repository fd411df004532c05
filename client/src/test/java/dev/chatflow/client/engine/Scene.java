package dev.chatflow.client.engine;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.fake.VirtualConnection;
import dev.chatflow.client.fake.VirtualTransport;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.PhaseTimes;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Trace;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The first room of a plan against a {@link VirtualChat}, moved step by step by a test in place of
 * a load thread.
 */
public final class Scene {
  private static final long MILLI = 1_000_000;

  public final VirtualChat chat = new VirtualChat();
  public final Gate gate;
  public final LoadContext context;
  public final Room room;
  private final long originNanos = chat.nanoTime() - 1;
  private Runnable otherThread = () -> {};
  private final VirtualTransport transport = new VirtualTransport(chat);

  public Scene(TestPlan test) {
    Plan plan = test.build();
    gate =
        new Gate(
            1,
            new PhaseTimes(),
            () -> new PhaseTimes.Mark(chat.nanoTime() - originNanos, 0, MachineCpu.UNKNOWN));
    Waves waves = new Waves(plan.workload().roles().waves(), Wave.Listener.NONE);
    waves.begin();
    context =
        new LoadContext(
            new RunContext(
                plan,
                gate,
                new Endpoints(plan.target()),
                waves,
                Trace.NONE,
                this::nanoTime,
                originNanos,
                0,
                test.tokens()),
            transport);
    room = new Room(context, 1);
    gate.start();
  }

  public List<User> users() {
    return room.users();
  }

  public User user(int roomIndex) {
    return room.users().get(roomIndex);
  }

  VirtualConnection connectionOf(int roomIndex) {
    User user = user(roomIndex);
    return chat.open().stream().filter(one -> one.isOf(user)).findFirst().orElseThrow();
  }

  private long nanoTime() {
    long time = chat.nanoTime();
    Runnable now = otherThread;
    otherThread = () -> {};
    now.run();
    return time;
  }

  /** What another thread does, once, right behind the next look at the clock. */
  void meanwhile(Runnable action) {
    otherThread = action;
  }

  /** Goes on to this phase. */
  public void enter(Phase phase) {
    while (gate.phase() != phase) {
      gate.arrive(gate.phase());
    }
  }

  /** Lets time pass; every user sees it pass every ten milliseconds. */
  public void pass(long millis) {
    long end = context.now() + millis * MILLI;
    while (context.now() < end) {
      long next = Math.min(end, context.now() + 10 * MILLI);
      while (context.now() < next) {
        transport.poll(next - context.now());
      }
      users().forEach(user -> user.tick(context.now()));
    }
  }

  /** All users connect and join; then the main phase begins, without a text. */
  public Scene joined() {
    users().forEach(user -> user.connect(context.now()));
    pass(10);
    enter(Phase.JOIN);
    while (!room.joinTick(context.now())) {
      pass(1);
    }
    enter(Phase.MAIN);
    return this;
  }

  long count(Count count) {
    return context.tally.of(count);
  }

  Histogram series(Series series) {
    return context.recorder.active().of(series, Clock.SERVICE);
  }
}
