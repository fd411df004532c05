package dev.chatflow.client.engine;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.transport.HttpChannel;
import dev.chatflow.client.transport.HttpEvents;

/**
 * Posts one user's texts over HTTP, one after the other: 201 accepts, 202, 429, 503 and broken
 * connections are repeated under the same key, everything else is a refusal.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Poster implements HttpEvents {
  private static final int NONE = -1;

  private final LoadContext context;
  private final Receipts room;
  private final User user;
  private final Attempts attempts;
  private final HttpChannel channel;
  private int pending = NONE;
  private long postedNanos;

  Poster(LoadContext context, Receipts room, User user) {
    this.context = context;
    this.room = room;
    this.user = user;
    attempts = new Attempts(context);
    channel =
        context.transport.http(
            context.endpoints.postUriOf(user.index(), user.roomNumber()),
            context.endpoints.addressOf(user.server()),
            this);
  }

  /** Posts the next text when the last one is answered and the next may go. */
  void pump() {
    if (pending == NONE && user.mayBegin()) {
      pending = user.sender().beginOne();
      if (pending != NONE) {
        post(context.now());
      }
    }
  }

  /** Lets time pass: a due repeat, an answer that takes too long. */
  void tick(long now) {
    if (pending == NONE) {
      pump();
    } else if (attempts.isDue(now)) {
      context.tally.count(Count.RETRIES);
      post(now);
    } else if (!attempts.isPlanned()
        && now - postedNanos > context.plan.connecting().timeout().toNanos()) {
      channel.abort();
      failed("POST unanswered");
    }
  }

  void close() {
    channel.abort();
  }

  @Override
  public void answered(int status, long retryAfterMillis) {
    switch (status) {
      case 201 -> {
        room.confirmed(user, pending);
        next();
      }
      case 202, 429, 503 -> again("HTTP " + status, retryAfterMillis);
      default -> refused("HTTP " + status);
    }
  }

  @Override
  public void failed(String reason) {
    again(reason, 0);
  }

  private void again(String reason, long delayMillis) {
    context.tally.failure(reason);
    if (attempts.plan(delayMillis * 1_000_000, context.now())) {
      user.log().resend(pending);
    } else {
      refused(reason);
    }
  }

  private void refused(String reason) {
    context.tally.rejected(reason);
    boolean _ = room.refused(user, pending);
    next();
  }

  /** The pending text is answered: the next one may go. */
  private void next() {
    boolean _ = user.sender().answered(pending, context.now());
    pending = NONE;
    attempts.succeeded();
    if (user.sender().unsent() == 0) {
      user.finished();
    }
    pump();
  }

  private void post(long now) {
    postedNanos = now;
    attempts.begun();
    channel.post(user.sender().body(pending), user.sender().idOf(pending), user.pass(now));
  }
}
