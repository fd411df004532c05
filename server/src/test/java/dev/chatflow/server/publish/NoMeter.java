package dev.chatflow.server.publish;

import java.time.Duration;

/** Counts nothing. */
public final class NoMeter implements PublishMeter {
  @Override
  public void flight(int messages, Duration confirm, int retries) {}

  @Override
  public void laneWait(Duration acceptToPublish) {}

  @Override
  public void poolWait(Duration wait) {}
}
