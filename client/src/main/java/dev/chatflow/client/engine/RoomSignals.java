package dev.chatflow.client.engine;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import dev.chatflow.client.verify.FrameScan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges the signals of one room: each receiver gets the numbers of each sender in increasing
 * order. A server may drop signals, so missing ones are only counted.
 *
 * <p>Belongs to the load thread of its room. Memory is only used if the run sends signals.
 */
final class RoomSignals {
  private static final long QUIET_NANOS = 1_000_000_000L;

  private final LoadContext context;
  private final List<Member> members;
  private final int[] newest;
  private long expected;
  private long received;
  private long progressNanos;

  RoomSignals(LoadContext context, List<Member> members) {
    this.context = context;
    this.members = members;
    int cells = members.size() * members.size();
    newest = new int[context.plan.workload().extras().hasSignals() ? cells : 0];
  }

  /** Records a signal that is about to be written to a room with this number of members. */
  void wrote(int present) {
    context.tally.count(Count.SIGNALS_WRITTEN);
    progressNanos = context.now();
    expect(present);
  }

  /** Records that the server rejected a signal, which then reaches no member. */
  void refused(int present) {
    expect(-present);
  }

  private void expect(int copies) {
    expected += copies;
    context.tally.add(Count.SIGNAL_COPIES_EXPECTED, copies);
  }

  /**
   * Records a signal of this run.
   *
   * @param joined whether the receiver may get signals: it is a member and not catching up
   */
  void received(Member receiver, boolean joined, FrameScan scan) {
    int sender = scan.sender() - members.getFirst().index;
    Defect defect = joined ? defect(receiver, sender, scan) : Defect.MISROUTED;
    if (defect != null) {
      context.findings.add(
          new Findings.Example(
              defect, receiver.room, scan.sender(), scan.seq(), receiver.index, -1, -1));
      return;
    }
    newest[cell(receiver, sender)] = scan.seq();
    received++;
    progressNanos = context.readTime();
    context.tally.count(Count.SIGNAL_DELIVERIES);
    if (context.isRecorded(scan.dueMicros() * 1000) && !receiver.isSlow) {
      long latency = context.readTime() / 1000 - scan.dueMicros();
      context.recorder.active().record(Series.SIGNAL, latency);
    }
  }

  private @Nullable Defect defect(Member receiver, int sender, FrameScan scan) {
    if (!scan.isIntact()) {
      return Defect.CORRUPT;
    }
    boolean known = sender >= 0 && sender < members.size();
    if (!known || scan.seq() > members.get(sender).signalsWritten()) {
      return Defect.MISROUTED;
    }
    int before = newest[cell(receiver, sender)];
    if (scan.seq() > before || !context.plan.judging().isExact()) {
      return null;
    }
    return scan.seq() == before ? Defect.DUPLICATE : Defect.REORDERED;
  }

  private int cell(Member receiver, int sender) {
    return receiver.roomIndex * members.size() + sender;
  }

  /** Returns whether all copies have arrived, or none has for a second. */
  boolean isDrained(long now) {
    return received >= expected || now - progressNanos > QUIET_NANOS;
  }
}
