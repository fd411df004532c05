package dev.chatflow.client.engine;

import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import org.jspecify.annotations.Nullable;

/**
 * Moves one user to a connection with a new token before its token ends. The next connection opens
 * in parallel; once it is open, the user joins on it. The old one is not read any more, and ends
 * when the user's JOIN has arrived.
 *
 * <p>Belongs to the load thread of the user's room. Events of the connection in use go to the user.
 */
final class Renewal implements ConnectionEvents {

  /** The user that moves. */
  interface Mover extends ConnectionEvents {
    boolean isJoined();

    /** Starts to connect with the current token. */
    Connection dial(ConnectionEvents events);

    /** Switches to this open connection. */
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

  /** Starts a due renewal, and gives up a late one. */
  void tick(long now) {
    if (next != null && now >= untilNanos) {
      endNext();
      refused("timeout");
    } else if (next == null && pass.isDue(now) && user.isJoined()) {
      untilNanos = now + context.plan.connecting().timeout().toNanos();
      next = user.dial(this);
    }
  }

  /**
   * Takes over the user's old connection. Ends it at once if it is still writing, because its
   * events would reach the user.
   */
  void leave(Connection old) {
    if (old.isWritable()) {
      old.pauseReading();
      left = old;
    } else {
      old.abort();
    }
  }

  /** Records the user's JOIN: the server has moved the user. */
  void joined() {
    Connection old = left;
    left = null;
    if (old != null) {
      old.abort();
    }
  }

  /** Ends all connections in parallel to the user's ended one. */
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
      pass.installed();
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
