package dev.chatflow.presence;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The newest request of another lane until its answer is due. One thread. */
final class SnapshotAnswer {

  /** All requests within this time get one answer. */
  private static final long PACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private Page.@Nullable Request request;
  private boolean answered;
  private long answeredNanos;

  void requested(Page.Request newest) {
    request = newest;
  }

  void forget() {
    request = null;
  }

  /** Returns the request to answer now, once; else null. */
  Page.@Nullable Request takeIfDue(long nowNanos) {
    Page.Request due = request;
    if (due == null || (answered && nowNanos - answeredNanos < PACE_NANOS)) {
      return null;
    }
    answered = true;
    answeredNanos = nowNanos;
    request = null;
    return due;
  }
}
