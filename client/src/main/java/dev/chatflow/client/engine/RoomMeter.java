package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.SeriesSet;
import dev.chatflow.client.verify.SenderLog;
import org.HdrHistogram.Histogram;

/**
 * Measures the copies and echoes of one room: its times for the run's series, and its figures.
 *
 * <p>Belongs to the load thread of the room. Times are nanoseconds since the run's origin.
 */
final class RoomMeter {
  private static final long MAX_MICROS = 3_600_000_000L;

  private final LoadContext context;
  private final boolean twoClocks;
  private final boolean severalServers;
  private final int size;
  private final Histogram echoes = new Histogram(2); // grows to a few KB
  private long firstDueNanos = Long.MAX_VALUE;
  private long lastDeliveryNanos;
  private long lastWriteNanos;
  private long accepted;
  private long echoNanosSum;

  /** Creates the meter of a new room with {@code size} users. */
  RoomMeter(LoadContext context, int size) {
    this.context = context;
    this.size = size;
    twoClocks = context.plan.pacing().model() == Pacing.Model.OPEN;
    severalServers = context.plan.target().urls().size() > 1;
  }

  long firstDueNanos() {
    return firstDueNanos;
  }

  long lastDeliveryNanos() {
    return lastDeliveryNanos;
  }

  /** Returns the time of the last write or arrival. */
  long lastProgressNanos() {
    return Math.max(lastDeliveryNanos, lastWriteNanos);
  }

  void wrote(long dueNanos) {
    if (context.isRecorded(dueNanos)) {
      firstDueNanos = Math.min(firstDueNanos, dueNanos);
    }
    lastWriteNanos = context.now();
  }

  /**
   * Records a member's first copy of a text. The latency of a returning member includes its
   * absence.
   *
   * @param last whether all members have it now
   */
  void received(Member receiver, Member sender, int seq, long dueMicros, boolean last) {
    SenderLog log = sender.log;
    SeriesSet series = context.recorder.active();
    long now = context.readTime();
    long service = now - log.written(seq);
    boolean recorded = context.isRecorded(log.due(seq));
    context.halves.delivered(now);
    lastDeliveryNanos = now;
    if (recorded) {
      receiver.took(service, now);
    } else if (context.gate.phase() == Phase.WARMUP) {
      context.tally.count(Count.WARMUP_DELIVERIES);
    }
    if (recorded && !receiver.isSlow && !receiver.state().isComingBack()) {
      series.record(Series.DELIVERY, Clock.SERVICE, service / 1000);
      if (twoClocks) {
        series.record(Series.DELIVERY, Clock.RESPONSE, now / 1000 - dueMicros);
      }
      if (severalServers) {
        boolean same = receiver.server() == sender.server();
        split(series, same, service / 1000, now / 1000 - dueMicros);
      }
    }
    if (last && recorded) {
      series.record(Series.FANOUT, Clock.SERVICE, service / 1000);
      series.record(Series.FANOUT, Clock.RESPONSE, (now - log.due(seq)) / 1000);
      series.record(Series.SKEW, (now - log.firstCopy(seq)) / 1000);
    }
  }

  /** Records a copy from another part of the run, whose write time is unknown here. */
  void receivedFromElsewhere() {
    long now = context.readTime();
    context.halves.delivered(now);
    context.tally.count(Count.TEXT_DELIVERIES);
    lastDeliveryNanos = now;
    boolean warms = !context.plan.workload().warmup().equals(Warmup.NONE);
    if (!warms || context.isRecorded(now)) {
      context.tally.count(Count.OTHER_PARTS);
    } else {
      context.tally.count(Count.WARMUP_DELIVERIES);
    }
  }

  /** Records the latency for the same or another server. Users of one URL are on one server. */
  private static void split(
      SeriesSet series, boolean same, long serviceMicros, long responseMicros) {
    Series which = same ? Series.DELIVERY_SAME : Series.DELIVERY_CROSS;
    series.record(which, Clock.SERVICE, serviceMicros);
    series.record(which, Clock.RESPONSE, responseMicros);
  }

  /** Records that a posted text was accepted. */
  void confirmed() {
    lastDeliveryNanos = Math.max(lastDeliveryNanos, context.readTime());
  }

  /** Records the first acknowledgement of a text. */
  void echoed(SenderLog log, int seq) {
    long now = context.readTime();
    long service = now - log.written(seq);
    if (context.isRecorded(log.due(seq))) {
      SeriesSet series = context.recorder.active();
      series.record(Series.ECHO, Clock.SERVICE, service / 1000);
      series.record(Series.ECHO, Clock.RESPONSE, (now - log.due(seq)) / 1000);
      accepted++;
      echoNanosSum += service;
      echoes.recordValue(Math.clamp(service / 1000, 0, MAX_MICROS));
    }
    context.halves.accepted(now);
    context.tally.count(Count.TEXTS_ECHOED);
  }

  /** Returns the figures of a room, with its number and counts. */
  RoomFigures figures(int number, long sent, long delivered) {
    long window = delivered == 0 ? 0 : lastDeliveryNanos - firstDueNanos;
    return new RoomFigures(
        number,
        size,
        sent,
        accepted,
        delivered,
        window,
        echoNanosSum,
        echoes.getValueAtPercentile(50) / 1e3,
        echoes.getValueAtPercentile(99) / 1e3);
  }
}
