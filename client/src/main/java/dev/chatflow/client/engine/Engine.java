package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.CpuUse;
import dev.chatflow.client.record.HalfSeconds;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.PhaseTimes;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.record.Recorder;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.RunRecord;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.record.SeriesSet;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.record.Traffic;
import dev.chatflow.client.transport.Tokens;
import dev.chatflow.client.transport.Transport;
import dev.chatflow.client.verify.Findings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan with one load thread per share of the rooms, and the calling thread as observer.
 *
 * <p>{@link #run} is called once, by one thread; {@link #stop} by any.
 */
public final class Engine {
  /**
   * The resources of the machine that an engine uses; tests replace them.
   *
   * @param transports creates the transport of a load thread from a seed
   * @param cpu CPU times of the calling thread and this process
   * @param machine CPU time of this machine
   * @param nanoTime a monotonic clock
   * @param tokens creates a token for each user; null without tokens
   */
  public record Platform(
      LongFunction<? extends Transport> transports,
      Supplier<CpuUse> cpu,
      Supplier<MachineCpu> machine,
      LongSupplier nanoTime,
      @Nullable Tokens tokens) {}

  /** Observes the run at every interval, on the thread that runs the engine. */
  public interface Watcher {
    /**
     * Receives an interval.
     *
     * @param nanos since the run's origin
     * @param interval histograms since the last call; valid only during the call
     */
    void interval(Phase phase, long nanos, Progress progress, SeriesSet interval);
  }

  /** The outcome of a run. */
  public record Outcome(RunRecord record, Findings findings) {}

  private static final double LATE_SECONDS = 0.1;

  private final Plan plan;
  private final Duration every;
  private final Platform platform;
  private final long originNanos;
  private final long startNanos;
  private final PhaseTimes times = new PhaseTimes();
  private final Gate gate;
  private final List<LoadThread> loads = new ArrayList<>();
  private final SeriesSet totals = new SeriesSet();

  /**
   * Prepares a run: opens only selectors.
   *
   * @param every length of an interval
   * @param trace receives every message and every copy
   * @param listener receives the start of each group of senders
   */
  public Engine(Plan plan, Duration every, Platform platform, Trace trace, Wave.Listener listener) {
    this.plan = plan;
    this.every = every;
    this.platform = platform;
    originNanos = platform.nanoTime().getAsLong() - 1;
    startNanos = startNanos(plan.part());
    int threads = plan.loadThreads();
    gate = new Gate(threads, times, this::mark);
    RunContext run =
        new RunContext(
            plan,
            gate,
            new Endpoints(plan.target()),
            new Waves(plan.workload().roles().waves(), listener),
            trace,
            platform.nanoTime(),
            originNanos,
            startNanos,
            platform.tokens());
    for (int thread = 0; thread < threads; thread++) {
      Transport transport = platform.transports().apply(plan.seedHere() + thread);
      gate.onChange(transport::wakeup);
      loads.add(
          new LoadThread(
              new LoadContext(run, transport),
              roomsOf(thread, threads),
              thread,
              every.toNanos(),
              platform.cpu()));
    }
  }

  private static long startNanos(Plan.@Nullable Part part) {
    return part == null ? 0 : Duration.between(Instant.now(), part.start()).toNanos();
  }

  private PhaseTimes.Mark mark() {
    return new PhaseTimes.Mark(
        nanos(), platform.cpu().get().processNanos(), platform.machine().get());
  }

  private long nanos() {
    return platform.nanoTime().getAsLong() - originNanos;
  }

  /** Returns the seconds since the run's origin. Any thread. */
  public double seconds() {
    return nanos() / 1e9;
  }

  /** Ends the run early and keeps its measurements. */
  public void stop() {
    gate.stop();
  }

  /** Runs to the end and returns the measurements. */
  public Outcome run(Watcher watcher) throws InterruptedException {
    Instant started = Instant.now();
    CountDownLatch running = new CountDownLatch(loads.size());
    gate.start();
    for (int thread = 0; thread < loads.size(); thread++) {
      LoadThread load = loads.get(thread);
      Thread.ofPlatform()
          .name("load-" + thread)
          .start(() -> {
            try {
              load.run();
            } finally {
              running.countDown();
            }
          });
    }
    while (!running.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
      observe(watcher);
    }
    observeRest(watcher);
    return outcome(started);
  }

  /** Observes the last interval, which ended threads have not handed over. */
  private void observeRest(Watcher watcher) {
    SeriesSet rest = new SeriesSet();
    Progress sum = Progress.NONE;
    for (LoadThread load : loads) {
      sum = sum.plus(load.progress());
      take(load.context().recorder, rest);
      rest.add(load.context().recorder.active());
    }
    totals.add(rest);
    watcher.interval(Phase.DONE, nanos(), sum, rest);
  }

  private void observe(Watcher watcher) {
    SeriesSet interval = new SeriesSet();
    Progress sum = Progress.NONE;
    for (LoadThread load : loads) {
      sum = sum.plus(load.progress());
      take(load.context().recorder, interval);
    }
    totals.add(interval);
    watcher.interval(gate.phase(), nanos(), sum, interval);
  }

  private static void take(Recorder recorder, SeriesSet interval) {
    SeriesSet set = recorder.takeInterval();
    if (set != null) {
      interval.add(set);
      recorder.giveBack(set);
    }
  }

  private Outcome outcome(Instant started) {
    Tally tally = new Tally();
    Traffic traffic = new Traffic();
    Findings findings = new Findings();
    HalfSeconds halves = new HalfSeconds();
    List<RoomFigures> rooms = new ArrayList<>();
    List<ConnectionFigures> connections = new ArrayList<>();
    List<SenderFigures> senders = new ArrayList<>();
    long firstDue = Long.MAX_VALUE;
    long lastDelivery = 0;
    boolean gaveUp = false;
    for (LoadThread load : loads) {
      Throwable failure = load.failure();
      if (failure != null) {
        throw new IllegalStateException("a load thread failed", failure);
      }
      gaveUp |= load.gaveUp();
      tally.add(load.context().tally);
      traffic.add(load.context().transport.traffic());
      findings.add(load.context().findings);
      halves.add(load.context().halves);
      for (Room room : load.rooms()) {
        rooms.add(room.figures());
        room.connections().forEach(connections::add);
        room.senders().forEach(senders::add);
        firstDue = Math.min(firstDue, room.firstDueNanos());
        lastDelivery = Math.max(lastDelivery, room.lastDeliveryNanos());
        count(room, tally);
      }
    }
    rooms.sort(Comparator.comparingInt(RoomFigures::room));
    RunRecord record =
        new RunRecord(
            started,
            times,
            tally,
            traffic,
            totals,
            halves,
            List.copyOf(rooms),
            List.copyOf(connections),
            senders.stream().sorted(Comparator.comparingInt(SenderFigures::room)).toList(),
            firstDue == Long.MAX_VALUE ? 0 : firstDue,
            lastDelivery,
            gate.isStopped(),
            gaveUp,
            ended(gaveUp));
    return new Outcome(record, findings);
  }

  /**
   * Passes every message, as its sender observed it, to a sink, room by room. Call it after the
   * run.
   */
  public void messages(MessageFigures.Receiver sink) {
    for (LoadThread load : loads) {
      load.rooms().forEach(room -> room.users().forEach(user -> user.member().messages(sink)));
    }
  }

  /** Returns the order of messages in each room, if it was kept. Call it after the run. */
  public Stream<RoomFigures.SeenMessage> order() {
    return loads.stream()
        .flatMap(load -> load.rooms().stream())
        .sorted(Comparator.comparingInt(Room::number))
        .flatMap(Room::order);
  }

  /** Counts unsent messages: of a failed user, or of an interrupted run. */
  private void count(Room room, Tally tally) {
    if (!plan.workload().isOpenEnded()) {
      for (User user : room.users()) {
        boolean tried = user.state() == UserState.LOST || !gate.isStopped();
        tally.add(tried ? Count.TEXTS_UNSENT : Count.TEXTS_UNTRIED, user.sender().unsent());
      }
    }
  }

  private String ended(boolean gaveUp) {
    if (gate.isStopped()) {
      return "interrupted";
    }
    if (gaveUp) {
      long drain = plan.judging().drain().toSeconds();
      return "drain gave up after " + drain + " s without a delivery" + late();
    }
    String duration = plan.workload().isOpenEnded() ? "duration reached, " : "";
    return duration + "drain finished" + late();
  }

  /** Returns a remark if this part started after the others. */
  private String late() {
    long began = times.nanosBetween(Phase.CONNECT, Phase.WARMUP);
    double seconds = plan.part() == null ? 0 : (began - startNanos) / 1e9;
    return seconds < LATE_SECONDS
        ? ""
        : "; this part began to send %.1f s after --start-at: give the parts more time"
            .formatted(seconds);
  }

  private List<Integer> roomsOf(int thread, int threads) {
    List<Integer> numbers = new ArrayList<>();
    for (int room = 1 + thread; room <= plan.workload().rooms(); room += threads) {
      numbers.add(room);
    }
    return numbers;
  }
}
