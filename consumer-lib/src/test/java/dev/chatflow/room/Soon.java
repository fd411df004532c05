package dev.chatflow.room;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for other threads in tests: polls every millisecond, so that unit tests stay fast. */
public final class Soon {

  private Soon() {}

  public static ConditionFactory soon() {
    return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
  }
}
