package dev.chatflow.client.report.text;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.result.Numbers;
import dev.chatflow.client.series.Clock;
import dev.chatflow.client.series.Series;
import dev.chatflow.client.series.SeriesSet;
import java.io.PrintStream;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * The progress on stderr: rewritten in place on a terminal, else one line per ten seconds. Copies
 * that have not come yet are due; which of them are lost, the verdict says.
 *
 * <p>Belongs to the observing thread.
 */
public final class LiveLine {
  private static final long PIPE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int BAR = 20;

  private final PrintStream err;
  private final boolean terminal;
  private final Plan plan;
  private final LongSupplier cpuNanos;
  private final Supplier<OptionalDouble> queue;

  private long lastNanos;
  private long lastPrinted;
  private long lastCpu;
  private Progress last = Progress.NONE;
  private int width;

  /**
   * Prints to {@code err}.
   *
   * @param queue depth of the broker's queues at present, when it is observed
   */
  public LiveLine(
      PrintStream err,
      boolean terminal,
      Plan plan,
      LongSupplier cpuNanos,
      Supplier<OptionalDouble> queue) {
    this.queue = queue;
    this.err = err;
    this.terminal = terminal;
    this.plan = plan;
    this.cpuNanos = cpuNanos;
    lastCpu = cpuNanos.getAsLong();
  }

  public void show(Phase phase, long nanos, Progress progress, SeriesSet interval) {
    if (!terminal && nanos - lastPrinted < PIPE_NANOS) {
      return;
    }
    lastPrinted = nanos;
    String line = line(phase, nanos, progress, interval);
    if (terminal) {
      err.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
      width = line.length();
    } else {
      err.println(line);
    }
    err.flush();
    lastNanos = nanos;
    last = progress;
  }

  /** Leaves the line clean for what follows. */
  public void end() {
    if (terminal && width > 0) {
      err.print("\r" + " ".repeat(width) + "\r");
      err.flush();
    }
  }

  private String line(Phase phase, long nanos, Progress progress, SeriesSet interval) {
    double seconds = Math.max(1e-3, (nanos - lastNanos) / 1e9);
    long cpu = cpuNanos.getAsLong();
    double cpuPercent = (cpu - lastCpu) / seconds / 1e7;
    lastCpu = cpu;
    long whole = TimeUnit.NANOSECONDS.toSeconds(nanos);
    String start =
        String.format(
            Locale.ROOT,
            "%-7s %02d:%02d",
            phase.name().toLowerCase(Locale.ROOT),
            whole / 60,
            whole % 60);
    if (phase == Phase.CONNECT || phase == Phase.JOIN) {
      return String.format(
          Locale.ROOT,
          "%s open %,d joined %,d of %,d",
          start,
          progress.open(),
          progress.joined(),
          plan.workload().users());
    }
    Histogram delivery = interval.of(Series.DELIVERY, Clock.SERVICE);
    return String.format(
        Locale.ROOT,
        "%s %s sent %s %s/s  delivered %s %s/s  p50 %s p99 %s ms  in-flight %,d  due %,d"
            + " dup %,d%s  cpu %.0f%%",
        start,
        bar(progress),
        Numbers.brief((double) progress.sent()),
        Numbers.brief((progress.sent() - last.sent()) / seconds),
        Numbers.brief((double) progress.delivered()),
        Numbers.brief((progress.delivered() - last.delivered()) / seconds),
        millis(delivery, 50),
        millis(delivery, 99),
        progress.inFlight(),
        progress.due(),
        progress.duplicates(),
        depth(),
        cpuPercent);
  }

  private static String millis(Histogram delivery, double percentile) {
    return delivery.getTotalCount() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.0f", delivery.getValueAtPercentile(percentile) / 1e3);
  }

  private String depth() {
    OptionalDouble depth = queue.get();
    return depth.isPresent() ? "  queue " + Numbers.whole(Math.round(depth.getAsDouble())) : "";
  }

  private String bar(Progress progress) {
    if (!plan.exact()) {
      return "";
    }
    double share =
        Math.min(1, (double) progress.delivered() / Math.max(1, plan.expected().deliveries()));
    int full = (int) (share * BAR);
    return String.format(
        Locale.ROOT, "[%s%s] %.0f%%", "#".repeat(full), ".".repeat(BAR - full), share * 100);
  }
}
