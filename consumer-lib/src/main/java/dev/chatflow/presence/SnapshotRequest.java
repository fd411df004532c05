package dev.chatflow.presence;

import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.log.PresenceOutlet;
import org.jspecify.annotations.Nullable;

/**
 * This server's request for snapshots from all other lanes, with the changes read since it is in
 * the log and the time of its repetition. Time is counted in beats, see {@link OtherLanes}. One
 * thread.
 */
final class SnapshotRequest {

  /** The request is repeated after this many beats without an answer. */
  private static final int PATIENCE_BEATS = 3;

  /** The wait doubles each time, up to this bound: an older server never answers. */
  private static final int MOST_PATIENCE_BEATS = 48;

  /** Maximum JOINs and LEAVEs kept while answers are missing; beyond it a new request is made. */
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

  /** Returns the changes read after the request; null until the request was read. */
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

  /** Returns whether this entry of the server is the first with the newest request. */
  boolean isReadIn(PresenceHeaders presenceHeaders, boolean sure) {
    boolean isRead = presenceHeaders.request() == newest && isUnread() && sure;
    if (isRead) {
      read = newest;
      since = new ChangesSince(new Page.Request(outlet.name(), newest));
    }
    return isRead;
  }

  private boolean isUnread() {
    return read < newest;
  }

  /** Reports that all lanes have answered. */
  void answered() {
    patience = PATIENCE_BEATS;
  }

  /** Repeats the request, at most once per beat. */
  void repeatUnlessNew(long beat) {
    if (!isUnread() && beat > madeBeat) {
      make(false, beat);
    }
  }

  /**
   * Repeats the request if the answers take too long, or too many changes were read in the
   * meantime.
   */
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
