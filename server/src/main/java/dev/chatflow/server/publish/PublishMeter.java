package dev.chatflow.server.publish;

import java.time.Duration;

/** Counts events of the publishing side. Called by each lane's thread; no call parks its caller. */
public interface PublishMeter extends LaneMeter {

  /** Reports the wait for a channel of the pool. */
  void poolWait(Duration wait);
}
