package dev.chatflow.server.publish;

import java.time.Duration;

/** What the publishing side counts. Called by each lane's thread; no call parks its caller. */
public interface PublishMeter extends LaneMeter {

  /** A channel was borrowed from the pool after this wait. */
  void poolWait(Duration wait);
}
