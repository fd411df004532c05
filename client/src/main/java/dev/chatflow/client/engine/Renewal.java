package dev.chatflow.client.engine;

import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import org.jspecify.annotations.Nullable;

/**
 * How one user moves to a connection with a new token before its token ends: the next connection
 * opens beside the present one; once it is open, the user takes it and joins on it, and the one
 * left is read no more and ended when the own JOIN has come.
 *
 * <p>Belongs to the load thread of the user's room. All that happens to a connection taken happens
 * to the user.
 */
final class Renewal implements ConnectionEvents {

  /** Who moves. */
  interface Mover extends ConnectionEvents {
    boolean isJoined();

    /** Starts to connect with the present token. */
    Connection dial(ConnectionEvents events);

    /** Takes this connection, which is open, in place of the present one. */
    void move(Connection next);
  }

  private final LoadContext context;
  private final Mover user;
  private final Pass pass;
  private @Nullable Connection next;
  private @Nullable Connection left;
  private long untilNanos;

  Renewal(LoadContext context, Mover user, Pass pass) {
    this.context = context;
    this.user = user;
    this.pass = pass;
  }

  /** Lets time pass: begins a renewal that is due, gives up one that takes too long. */
  void tick(long now) {
    if (next != null && now >= untilNanos) {
      endNext();
      refused("timeout");
    } else if (next == null && pass.isDue(now) && user.isJoined()) {
      untilNanos = now + context.plan.connecting().timeout().toNanos();
      next = user.dial(this);
    }
  }

  /** The user leaves this connection; one that is still writing could be heard of: it ends now. */
  void leave(Connection old) {
    if (old.isWritable()) {
      old.pauseReading();
      left = old;
    } else {
      old.abort();
    }
  }

  /** The own JOIN has come: the server has taken the user over. */
  void joined() {
    Connection old = left;
    left = null;
    if (old != null) {
      old.abort();
    }
  }

  /** The user's connection is over: so are those beside it. */
  void end() {
    endNext();
    joined();
  }

  private void endNext() {
    Connection open = next;
    next = null;
    if (open != null) {
      open.abort();
    }
  }

  @Override
  public void opened() {
    Connection open = next;
    if (open != null && user.isJoined()) {
      next = null;
      pass.taken();
      user.move(open);
    } else {
      endNext();
      pass.postpone(context.now());
    }
  }

  @Override
  public void refused(String reason) {
    next = null;
    context.tally.failure(reason);
    pass.postpone(context.now());
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    user.text(bytes, from, to);
  }

  @Override
  public void writable() {
    user.writable();
  }

  @Override
  public void closed(int code, String reason) {
    user.closed(code, reason);
  }
}
