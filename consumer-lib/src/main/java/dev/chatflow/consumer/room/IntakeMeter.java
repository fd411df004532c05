package dev.chatflow.consumer.room;

import dev.chatflow.consumer.ConsumerMeter;
import java.time.Duration;

/** What the consumer threads of a server count. Called by each; no call parks its caller. */
public interface IntakeMeter extends ConsumerMeter {

  /** An own flight was handed over, this long after it was published. */
  void lag(Duration publishToHandOff);

  /** An own flight went from the hand-off into its rooms' logs in this time. */
  void append(Duration handOffToAppend);
}
