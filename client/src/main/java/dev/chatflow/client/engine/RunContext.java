package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Trace;
import dev.chatflow.client.transport.Tokens;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state shared by all load threads of a run. Any thread.
 *
 * @param nanoTime a monotonic clock, which the transports also use
 * @param originNanos its value at the origin of the run
 * @param startNanos earliest start of sending, since the origin; 0 starts when all have joined
 * @param tokens creates a token for each user; null without tokens
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

  /** Returns the nanoseconds since the run's origin; never 0, which means "not yet". */
  long now() {
    return nanoTime.getAsLong() - originNanos;
  }
}
