package dev.chatflow.client.report;

import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Progress;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.SeriesSet;
import dev.chatflow.client.result.Numbers;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * Shows progress on stderr: updated in place on a terminal, else one line per ten seconds. It drops
 * the least important parts to fit the terminal, and shows rate and p99 of the last intervals as
 * curves if there is space. Outstanding copies are due; the verdict reports those that are lost.
 *
 * <p>Belongs to the observing thread.
 */
public final class LiveLine {
  private static final long PIPE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int BAR = 20;
  private static final long NOT_YET = -1;
  private static final int NARROWEST = 40;
  private static final int WIDEST = 200;
  private static final int NARROWEST_CURVED = 90;
  private static final int SHORTEST_CURVE = 10;
  private static final int LONGEST_CURVE = 30;
  private static final String GAP = "  ";
  private static final int CURVE_FRAME = (GAP + "rate ").length();

  /**
   * A part of the line.
   *
   * @param rank parts of the highest rank are dropped first
   */
  private record Piece(int rank, String text) {}

  private final PrintStream err;
  private final Screen screen;
  private final Plan plan;
  private final LongSupplier cpuNanos;
  private final Supplier<OptionalDouble> queue;
  private final Curve rates = new Curve();
  private final Curve tails = new Curve();

  private long lastNanos;
  private long lastPrinted;
  private long lastCpu;
  private Progress last = Progress.NONE;
  private int width;
  private long mainNanos = NOT_YET;

  /**
   * Prints to {@code err}.
   *
   * @param queue current depth of the broker's queues, if it is observed
   */
  public LiveLine(
      PrintStream err,
      Screen screen,
      Plan plan,
      LongSupplier cpuNanos,
      Supplier<OptionalDouble> queue) {
    this.queue = queue;
    this.err = err;
    this.screen = screen;
    this.plan = plan;
    this.cpuNanos = cpuNanos;
    lastCpu = cpuNanos.getAsLong();
  }

  public void show(Phase phase, long nanos, Progress progress, SeriesSet interval) {
    if (phase == Phase.MAIN && mainNanos == NOT_YET) {
      mainNanos = lastNanos;
    }
    if (!screen.terminal() && nanos - lastPrinted < PIPE_NANOS) {
      return;
    }
    lastPrinted = nanos;
    List<Piece> pieces = pieces(phase, nanos, progress, interval);
    if (screen.terminal()) {
      rewrite(pieces, progress.duplicates() > 0);
    } else {
      err.println(joined(pieces));
    }
    err.flush();
    lastNanos = nanos;
    last = progress;
  }

  private void rewrite(List<Piece> pieces, boolean alarming) {
    int columns = Math.clamp(screen.width().getAsInt(), NARROWEST, WIDEST) - 1; // no wrap
    boolean curved = screen.blocks() && !rates.isEmpty() && columns >= NARROWEST_CURVED;
    int kept = curved ? 2 * (SHORTEST_CURVE + CURVE_FRAME) : 0;
    String line = joined(fitting(pieces, columns - kept));
    line = line.substring(0, Math.min(line.length(), columns));
    line += curved ? curves((columns - line.length()) / 2 - CURVE_FRAME) : "";
    String blanks = " ".repeat(Math.clamp(width - line.length(), 0, columns - line.length()));
    err.print("\r" + (alarming ? screen.alarm(line) : line) + blanks);
    width = line.length();
  }

  /** Ends the line for the following output. */
  public void end() {
    if (screen.terminal() && width > 0) {
      err.print("\r" + " ".repeat(width) + "\r");
      err.flush();
    }
  }

  /** Returns the parts that fit, of low rank first. */
  private static List<Piece> fitting(List<Piece> pieces, int columns) {
    List<Piece> kept = new ArrayList<>(pieces);
    while (kept.size() > 1 && joined(kept).length() > columns) {
      Piece least = kept.getLast();
      for (Piece piece : kept) {
        least = piece.rank() > least.rank() ? piece : least;
      }
      kept.remove(least);
    }
    return kept;
  }

  private static String joined(List<Piece> pieces) {
    return pieces.stream().map(Piece::text).collect(Collectors.joining(GAP));
  }

  private String curves(int space) {
    int length = Math.min(space, LONGEST_CURVE);
    return GAP + "rate " + rates.last(length) + GAP + "p99 " + tails.last(length);
  }

  private List<Piece> pieces(Phase phase, long nanos, Progress progress, SeriesSet interval) {
    double seconds = Math.max(1e-3, (nanos - lastNanos) / 1e9);
    long cpu = cpuNanos.getAsLong();
    double cpuPercent = (cpu - lastCpu) / seconds / 1e7;
    lastCpu = cpu;
    String name = phase.name().toLowerCase(Locale.ROOT);
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece(0, String.format(Locale.ROOT, "%-7s %s", name, clock(nanos))));
    if (phase == Phase.CONNECT || phase == Phase.JOIN) {
      pieces.add(
          new Piece(
              1,
              String.format(
                  Locale.ROOT,
                  "open %,d joined %,d of %,d",
                  progress.open(),
                  progress.joined(),
                  users())));
      return pieces;
    }
    Histogram delivery = interval.of(Series.DELIVERY, Clock.SERVICE);
    double rate = (progress.delivered() - last.delivered()) / seconds;
    rates.add(rate);
    tails.add(Numbers.percentileMillis(delivery, 99));
    addCourse(pieces, phase, nanos, progress);
    pieces.add(new Piece(4, "sent " + perSecond((progress.sent() - last.sent()) / seconds)));
    pieces.add(new Piece(1, "delivered " + perSecond(rate)));
    pieces.add(new Piece(5, "p50 " + millis(delivery, 50)));
    pieces.add(new Piece(1, "p99 " + millis(delivery, 99) + " ms"));
    pieces.add(new Piece(6, "in flight " + Numbers.whole(progress.inFlight())));
    pieces.add(new Piece(7, "due " + Numbers.whole(progress.due())));
    int rank = progress.duplicates() > 0 ? 1 : 8;
    pieces.add(new Piece(rank, "dup " + Numbers.whole(progress.duplicates())));
    OptionalDouble depth = queue.get();
    if (depth.isPresent()) {
      pieces.add(new Piece(7, "queue " + Numbers.whole(Math.round(depth.getAsDouble()))));
    }
    pieces.add(new Piece(7, String.format(Locale.ROOT, "cpu %.0f%%", cpuPercent)));
    return pieces;
  }

  /** Adds the progress of the run: the remaining time, the stage, the share of deliveries. */
  private void addCourse(List<Piece> pieces, Phase phase, long nanos, Progress progress) {
    double share =
        plan.exact()
            ? Math.min(1, (double) progress.delivered() / Math.max(1, plan.expected().deliveries()))
            : Double.NaN;
    long left = leftNanos(phase, nanos, share);
    if (left > 0) {
      pieces.add(new Piece(2, "left " + clock(left)));
    }
    String stage = phase == Phase.MAIN ? stage(nanos - mainNanos) : "";
    if (!stage.isEmpty()) {
      pieces.add(new Piece(3, stage));
    }
    if (!Double.isNaN(share)) {
      int full = (int) (share * BAR);
      pieces.add(new Piece(6, "[" + "#".repeat(full) + ".".repeat(BAR - full) + "]"));
      pieces.add(new Piece(2, String.format(Locale.ROOT, "%.0f%%", share * 100)));
    }
  }

  /**
   * Returns the time until sending ends, or until all is delivered at the current pace; 0 if
   * unknown.
   */
  private long leftNanos(Phase phase, long nanos, double share) {
    if (phase != Phase.MAIN) {
      return 0;
    }
    Duration duration = plan.workload().duration();
    if (!duration.isZero()) {
      return duration.toNanos() - (nanos - mainNanos);
    }
    return share > 0 ? Math.round((nanos - mainNanos) * (1 - share) / share) : 0;
  }

  private String stage(long sinceMain) {
    List<Pacing.Stage> stages = plan.pacing().stages();
    long left = sinceMain;
    int number = 0;
    while (number < stages.size() - 1 && left >= stages.get(number).length().toNanos()) {
      left -= stages.get(number++).length().toNanos();
    }
    return stages.isEmpty()
        ? ""
        : "stage %d/%d %s"
            .formatted(number + 1, stages.size(), perSecond(stages.get(number).ratePerSecond()));
  }

  private int users() {
    return plan.workload().rooms() * plan.listeners();
  }

  private static String clock(long nanos) {
    long whole = Math.round(nanos / 1e9);
    return whole < 3600
        ? "%02d:%02d".formatted(whole / 60, whole % 60)
        : "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60);
  }

  private static String perSecond(double rate) {
    return Numbers.brief(rate) + "/s";
  }

  private static String millis(Histogram delivery, double percentile) {
    return delivery.getTotalCount() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.0f", delivery.getValueAtPercentile(percentile) / 1e3);
  }

  /**
   * The last values of a figure as a row of blocks, relative to the highest. Belongs to one thread.
   */
  private static final class Curve {
    private static final int MOST = 60;
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";

    private final ArrayDeque<Double> values = new ArrayDeque<>();

    void add(double value) {
      if (values.size() == MOST) {
        values.removeFirst();
      }
      values.addLast(value);
    }

    boolean isEmpty() {
      return values.isEmpty();
    }

    /** Returns the last values, one column each; a blank for a gap. */
    String last(int columns) {
      double highest =
          values.stream().filter(each -> !each.isNaN()).max(Double::compare).orElse(0.0);
      StringBuilder row = new StringBuilder();
      Iterator<Double> each = values.descendingIterator();
      while (each.hasNext() && row.length() < columns) {
        row.append(block(each.next(), highest));
      }
      return row.reverse().toString();
    }

    private static char block(double value, double highest) {
      if (Double.isNaN(value)) {
        return ' ';
      }
      int height = highest <= 0 ? 0 : (int) Math.round(value / highest * (BLOCKS.length() - 1));
      return BLOCKS.charAt(height);
    }
  }
}
