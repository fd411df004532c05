package dev.chatflow.client.engine;

import dev.chatflow.client.record.Count;
import dev.chatflow.client.transport.HttpChannel;

/**
 * Posts one user's texts over HTTP, one at a time. 201 accepts; 202, 429, 503 and lost connections
 * are repeated under the same key; anything else is a rejection.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Poster implements HttpChannel.Events {
  private static final int NONE = -1;

  private final LoadContext context;
  private final RoomBook book;
  private final Member member;
  private final Sender sender;
  private final Pass pass;
  private final int wave;
  private final Attempts attempts;
  private final HttpChannel channel;
  private int pending = NONE;
  private long postedNanos;

  Poster(LoadContext context, RoomBook book, Member member, Sender sender, Pass pass) {
    this.context = context;
    this.book = book;
    this.member = member;
    this.sender = sender;
    this.pass = pass;
    wave = context.plan.workload().waveOf(member.index);
    attempts = new Attempts(context);
    channel =
        context.transport.http(
            context.run.endpoints().postUriOf(member.index, member.room),
            context.run.endpoints().addressOf(member.server()),
            this);
  }

  /** Posts the next text if the last one is answered and the next may go. */
  void pump() {
    if (pending == NONE && wave < context.run.waves().begun()) {
      pending = sender.beginOne();
      if (pending != NONE) {
        post(context.now());
      }
    }
  }

  /** Sends a due repeat and gives up late answers. */
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
        book.confirmed(member, pending);
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
      member.log.resend(pending);
    } else {
      refused(reason);
    }
  }

  private void refused(String reason) {
    context.tally.rejected(reason);
    boolean _ = book.refused(member, pending);
    next();
  }

  /** Completes the answered text and posts the next one. */
  private void next() {
    boolean _ = sender.answered(pending, context.now());
    pending = NONE;
    attempts.succeeded();
    if (sender.unsent() == 0 && wave >= 0) {
      context.run.waves().finished(wave);
    }
    pump();
  }

  private void post(long now) {
    postedNanos = now;
    attempts.begun();
    channel.post(sender.body(pending), sender.idOf(pending), pass.header(now));
  }
}
