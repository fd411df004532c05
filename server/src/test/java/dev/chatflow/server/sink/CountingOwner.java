package dev.chatflow.server.sink;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the events of a sink. */
final class CountingOwner implements MemberSink.Owner {

  final AtomicInteger reopened = new AtomicInteger();
  final AtomicInteger closesSent = new AtomicInteger();
  final AtomicInteger timeouts = new AtomicInteger();
  final AtomicInteger losses = new AtomicInteger();

  @Override
  public void mailboxHasSpace() {
    reopened.incrementAndGet();
  }

  @Override
  public void closeSent() {
    closesSent.incrementAndGet();
  }

  @Override
  public void timedOut() {
    timeouts.incrementAndGet();
  }

  @Override
  public void peerLost() {
    losses.incrementAndGet();
  }
}
