package dev.chatflow.presence;

import dev.chatflow.log.PresenceOutlet;
import dev.chatflow.log.Signals;
import org.jspecify.annotations.Nullable;

/**
 * This server's request that all other lanes list their members: what was read since it is in the
 * log, and when it is made again. Time is counted in beats, see {@link OtherLanes}. One thread.
 */
final class SnapshotRequest {

  /** After this many beats without an answer the request is made again. */
  private static final int PATIENCE_BEATS = 3;

  /** The wait doubles each time, up to this: an older server never answers. */
  private static final int MOST_PATIENCE_BEATS = 48;

  /** JOINs and LEAVEs that are kept while answers are missing; beyond it a new request is made. */
  private static final int MAX_SINCE = 100_000;

  private final PresenceOutlet outlet;
  private final PresenceMeter meter;

  // Null before the request was read.
  private @Nullable ChangesSince since;
  private long newest;
  private long read;
  private long madeBeat;
  private int patience = PATIENCE_BEATS;

  SnapshotRequest(PresenceOutlet outlet, PresenceMeter meter) {
    this.outlet = outlet;
    this.meter = meter;
  }

  /** The changes that were read after the request; null until it was read. */
  @Nullable ChangesSince since() {
    return since;
  }

  void forget() {
    since = null;
  }

  /**
   * Makes a new request.
   *
   * @param begins see {@link PresenceOutlet#requestSnapshots}
   */
  void make(boolean begins, long beat) {
    newest++;
    madeBeat = beat;
    outlet.requestSnapshots(newest, begins);
    meter.snapshotRequested();
  }

  /**
   * One of the server's entries was read. Returns whether it is the first with the newest request.
   */
  boolean isReadIn(Signals signals, boolean sure) {
    boolean isRead = signals.request() == newest && isUnread() && sure;
    if (isRead) {
      read = newest;
      since = new ChangesSince(new Page.Request(outlet.name(), newest));
    }
    return isRead;
  }

  private boolean isUnread() {
    return read < newest;
  }

  /** All lanes have answered. */
  void answered() {
    patience = PATIENCE_BEATS;
  }

  /** Makes it again, once a beat at most. */
  void repeatUnlessNew(long beat) {
    if (!isUnread() && beat > madeBeat) {
      make(false, beat);
    }
  }

  /** Makes it again when the answers take too long, or too much was read in the meantime. */
  void repeatIfLate(boolean answersMissing, long beat) {
    boolean late = (answersMissing || isUnread()) && beat - madeBeat >= patience;
    if (late) {
      patience = Math.min(MOST_PATIENCE_BEATS, 2 * patience);
    }
    if (late || (since != null && since.size() > MAX_SINCE)) {
      make(false, beat);
    }
  }
}
