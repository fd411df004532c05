package dev.chatflow.server.edge;

import java.time.Duration;

/** Counts nothing, except what a test overrides. */
public class NoEdgeMeter implements EdgeMeter {

  @Override
  public void accepted() {}

  @Override
  public void acceptTook(Duration frameToLane) {}

  @Override
  public void writeTook(Duration write) {}

  @Override
  public void writeTimedOut() {}

  @Override
  public void peerLost(Loss how) {}

  @Override
  public void refused(String errorCode) {}

  @Override
  public void closed(int code) {}

  @Override
  public void connectionRefused(String reason) {}
}
