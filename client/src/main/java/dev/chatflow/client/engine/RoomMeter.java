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
 * What the copies and echoes of one room measure: its times in the run's series, and its figures.
 *
 * <p>Belongs to the load thread of the room. Times are nanoseconds since the run's origin.
 */
final class RoomMeter {
  private static final long MAX_MICROS = 3_600_000_000L;

  private final LoadContext context;
  private final boolean twoClocks;
  private final boolean severalServers;
  private final int size;
  private final Histogram echoes = new Histogram(2); // grows as needed: some KB
  private long firstDueNanos = Long.MAX_VALUE;
  private long lastDeliveryNanos;
  private long lastWriteNanos;
  private long accepted;
  private long echoNanosSum;

  /** Of a room of so many users where nothing happened yet. */
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

  /** When something was written or received last. */
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
   * A member got its first copy of a text; who is on its way back waited for it by being away.
   *
   * @param last whether everybody has it now
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

  /** A member got a text of another part of the run; when that was written is not known here. */
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

  /** Same server or another: users of one URL are on one server. */
  private static void split(
      SeriesSet series, boolean same, long serviceMicros, long responseMicros) {
    Series which = same ? Series.DELIVERY_SAME : Series.DELIVERY_CROSS;
    series.record(which, Clock.SERVICE, serviceMicros);
    series.record(which, Clock.RESPONSE, responseMicros);
  }

  /** The sender of a text was told over HTTP that it is accepted. */
  void confirmed() {
    lastDeliveryNanos = Math.max(lastDeliveryNanos, context.readTime());
  }

  /** The sender of a text learnt for the first time that it is accepted. */
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

  /** The figures of a room of this number and size in which so much was sent and delivered. */
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
