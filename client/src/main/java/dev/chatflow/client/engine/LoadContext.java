package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.HalfSeconds;
import dev.chatflow.client.record.Phase;
import dev.chatflow.client.record.Recorder;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.transport.Transport;
import dev.chatflow.client.verify.Findings;
import dev.chatflow.client.verify.FrameScan;
import dev.chatflow.client.verify.Stamps;
import dev.chatflow.client.verify.Texts;

/** The state shared by the rooms and users of one load thread. Belongs to that thread. */
final class LoadContext {
  final RunContext run;
  final Plan plan;
  final Transport transport;
  final Gate gate;
  final Recorder recorder = new Recorder();
  final Tally tally = new Tally();
  final HalfSeconds halves = new HalfSeconds();
  final Findings findings = new Findings();
  final Texts texts;
  final String dataField;
  final Stamps stamps;
  final FrameScan scan;

  private final long warmupNanos;
  private long inFlight;
  private long inFlightSince;

  LoadContext(RunContext run, Transport transport) {
    this.run = run;
    this.transport = transport;
    plan = run.plan();
    gate = run.gate();
    warmupNanos = plan.workload().warmup().time().toNanos();
    int bytes = plan.workload().messageBytes();
    texts = bytes == 0 ? Texts.sentences(plan.seed()) : Texts.ofSize(plan.seed(), bytes);
    stamps = new Stamps(plan.runId());
    dataField = plan.workload().extras().dataField();
    scan = new FrameScan(plan.runId(), texts, dataField);
  }

  /**
   * Returns whether a message with this due time is recorded, not only verified: in the main phase,
   * after its warmup. Another thread may just have started that phase.
   */
  boolean isRecorded(long dueNanos) {
    return dueNanos - warmupNanos >= gate.mainNanos();
  }

  /** Returns whether users may write texts now. */
  boolean isSending() {
    Phase phase = gate.phase();
    return (phase == Phase.MAIN || phase == Phase.WARMUP) && !gate.isStopped();
  }

  /** Returns the number of unanswered messages of all users of the thread. */
  long inFlight() {
    return inFlight;
  }

  /** Changes {@link #inFlight} and adds its previous value, weighted by time. */
  void changeInFlight(int by, long now) {
    if (isRecorded(inFlightSince)) {
      tally.inFlight(inFlight, now - inFlightSince);
    }
    inFlight += by;
    inFlightSince = now;
  }

  /** Returns the nanoseconds since the run's origin; never 0, which means "not yet". */
  long now() {
    return run.now();
  }

  /** Returns the earliest start of sending, since the run's origin. */
  long startNanos() {
    return run.startNanos();
  }

  /** Returns when the current bytes were read. */
  long readTime() {
    return transport.readNanos() - run.originNanos();
  }
}
