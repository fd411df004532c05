package dev.chatflow.server.publish;

import java.time.Duration;

/** Counts nothing; a subclass counts what it needs. */
class NoLaneMeter implements LaneMeter {

  @Override
  public void waited(Duration acceptedToPublish) {}

  @Override
  public void confirmed(int lines, Duration confirm, int retries) {}

  @Override
  public void failed(long number, Confirm outcome) {}

  @Override
  public void readBack(Duration publishToRead) {}

  @Override
  public void shown(Duration acceptedToShown) {}
}
