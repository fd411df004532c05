package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;

/**
 * The verified but unrecorded messages before the recorded part, on the same connections.
 *
 * @param time first part of the main phase
 * @param users number of users that send {@code messages} each in a separate phase
 */
public record Warmup(Duration time, int users, int messages) {
  public static final Warmup NONE = of(Duration.ZERO);

  public Warmup {
    if (time.isNegative()) {
      throw CommandFailure.usage("--warmup must not be negative, found " + time);
    }
    CommandFailure.requireRange("--warmup users", users, 0, 1_000_000);
    CommandFailure.requireRange("--warmup messages", messages, 0, 1_000_000);
  }

  public static Warmup of(Duration time) {
    return new Warmup(time, 0, 0);
  }

  public long texts() {
    return (long) users * messages;
  }
}
