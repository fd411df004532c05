package dev.chatflow.server;

import dev.chatflow.server.publish.Vitals;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Formats one line about a period of a server: state, throughput, problems. Stateless, without a
 * clock.
 */
final class StatusLine {

  private static final double FEW = 10;

  private StatusLine() {}

  /**
   * A server at one moment.
   *
   * @param health its states
   * @param stats its counts since the start
   * @param logBytes bytes of its room logs
   */
  record Snapshot(Vitals.Health health, Vitals.Stats stats, long logBytes) {

    private long waiting() {
      return stats.lanes().stream().mapToLong(Vitals.Lane::waiting).sum();
    }

    private long refused() {
      return stats.refused().values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the state; a line is due if it changes. */
    private String present() {
      return String.format(
          Locale.ROOT,
          "%s: %,d connections, %,d rooms, %,d members%s; lanes %,d, logs %,d KiB, circuit %s%s",
          health.status(),
          stats.connections(),
          stats.rooms(),
          stats.members(),
          paused(),
          waiting(),
          (logBytes + 1_023) / 1_024,
          health.broker().circuit(),
          trouble());
    }

    private String paused() {
      return stats.paused() == 0 ? "" : String.format(Locale.ROOT, ", %,d paused", stats.paused());
    }

    private String trouble() {
      String publisher = health.broker().publisher();
      String consumer = health.broker().consumer();
      return publisher.equals("OPEN") && consumer.equals("OPEN")
          ? ""
          : ", publisher %s, consumer %s".formatted(publisher, consumer);
    }
  }

  /**
   * Returns the line, or null if nothing happened and nothing changed.
   *
   * @param seconds time between the two, more than 0
   */
  static @Nullable String between(Snapshot before, Snapshot now, double seconds) {
    Vitals.Stats was = before.stats();
    Vitals.Stats is = now.stats();
    List<String> parts = new ArrayList<>();
    parts.add(now.present());
    long in = is.messagesIn() - was.messagesIn();
    long out = is.deliveries() - was.deliveries();
    if (in + out > 0) {
      parts.add("in %s/s, out %s/s".formatted(rate(in / seconds), rate(out / seconds)));
    }
    addCount(parts, "refused", now.refused() - before.refused());
    addCount(parts, "duplicates dropped", is.duplicatesDropped() - was.duplicatesDropped());
    addCount(parts, "slow closed", is.slowClosed() - was.slowClosed());
    addCount(parts, "gaps", is.gaps() - was.gaps());
    boolean same = parts.size() == 1 && now.present().equals(before.present());
    return same ? null : String.join("; ", parts);
  }

  private static void addCount(List<String> parts, String name, long count) {
    if (count > 0) {
      parts.add(String.format(Locale.ROOT, "%s %,d", name, count));
    }
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < FEW ? "%.1f" : "%,.0f", perSecond);
  }
}
