package dev.chatflow.client.engine;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.fake.VirtualTransport;
import dev.chatflow.client.plan.Wave;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.CpuUse;
import dev.chatflow.client.record.MachineCpu;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.RunRecord;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.verify.Defect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** A complete run against a {@link VirtualChat}, in virtual time. */
final class VirtualRun {
  private final Engine engine;
  private final List<String> waves = new ArrayList<>();
  private final Engine.Outcome outcome;

  /**
   * Executes the run.
   *
   * @param stopNanos time after which the run is stopped; 0 for never
   */
  private VirtualRun(TestPlan plan, VirtualChat chat, Trace trace, long stopNanos)
      throws InterruptedException {
    Engine.Platform platform =
        new Engine.Platform(
            _ -> new VirtualTransport(chat),
            () -> CpuUse.NONE,
            () -> MachineCpu.UNKNOWN,
            chat::nanoTime,
            plan.tokens());
    engine = new Engine(plan.build(), Duration.ofMillis(100), platform, trace, listener());
    if (stopNanos > 0) {
      chat.after(stopNanos, engine::stop);
    }
    outcome = engine.run((_, _, _, _) -> {});
  }

  private Wave.Listener listener() {
    return new Wave.Listener() {
      @Override
      public void begun(Wave wave) {
        waves.add(wave.name());
      }

      @Override
      public void fifthFinished(Wave wave) {
        waves.add(wave.name() + " 20%");
      }
    };
  }

  static VirtualRun of(TestPlan plan, VirtualChat chat) throws InterruptedException {
    return new VirtualRun(plan, chat, Trace.NONE, 0);
  }

  /** Executes a run that traces every message. */
  static VirtualRun traced(TestPlan plan, VirtualChat chat) throws InterruptedException {
    return new VirtualRun(plan, chat, Trace.MESSAGES, 0);
  }

  static VirtualRun stopped(TestPlan plan, VirtualChat chat, long nanos)
      throws InterruptedException {
    return new VirtualRun(plan, chat, Trace.NONE, nanos);
  }

  RunRecord record() {
    return outcome.record();
  }

  List<String> waves() {
    return waves;
  }

  long count(Count count) {
    return outcome.record().tally().of(count);
  }

  long found(Defect defect) {
    return outcome.findings().count(defect);
  }

  boolean isClean() {
    return outcome.findings().isClean(Set.of());
  }

  Histogram series(Series series, Clock clock) {
    return outcome.record().series().of(series, clock);
  }

  List<MessageFigures> messages() {
    List<MessageFigures> all = new ArrayList<>();
    engine.messages(all::add);
    return all;
  }
}
