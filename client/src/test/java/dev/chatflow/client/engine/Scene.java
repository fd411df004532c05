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
 * Runs the first room of a plan against a {@link VirtualChat}, step by step, without a load thread.
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

  /** Runs an action of another thread once, right after the next reading of the clock. */
  void afterNextClockReading(Runnable action) {
    otherThread = action;
  }

  /** Advances to this phase. */
  public void enter(Phase phase) {
    while (gate.phase() != phase) {
      gate.arrive(gate.phase());
    }
  }

  /** Lets time pass, with a tick of every user each 10 ms. */
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

  /** Connects and joins all users, then enters the main phase without sending texts. */
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
