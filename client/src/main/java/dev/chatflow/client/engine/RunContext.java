package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.transport.Tokens;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all load threads of a run share. Any thread.
 *
 * @param nanoTime a clock that only goes forward, the transports' too
 * @param originNanos what it said at the origin of the run
 * @param startNanos when sending begins at the earliest, since the origin; 0: as soon as all joined
 * @param tokens makes a token for each user; null: users show none of their own
 */
record RunContext(
    Plan plan,
    Gate gate,
    Endpoints endpoints,
    Waves waves,
    Trace trace,
    LongSupplier nanoTime,
    long originNanos,
    long startNanos,
    @Nullable Tokens tokens) {

  /** Nanoseconds since the run's origin; never 0, which means "not yet". */
  long now() {
    return nanoTime.getAsLong() - originNanos;
  }
}
