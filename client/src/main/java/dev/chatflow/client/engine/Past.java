package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.verify.FrameName;
import dev.chatflow.client.verify.LastFrame;
import org.jspecify.annotations.Nullable;

/**
 * What one user asks of its room's past when it joins, and what it is shown of it before its own
 * JOIN comes.
 *
 * <p>Belongs to the load thread of its room. Keeps one frame, for who resumes.
 */
final class Past {

  /** What a frame is that comes before the own JOIN. */
  enum Part {
    /** The one that the JOIN named: all behind it follows. */
    NAMED,
    /** One of the last of the room, shown to who is not resumed. */
    HISTORY,
    /** One behind the named one, or one that nobody asked for. */
    OTHER
  }

  private static final int LOSS = 4010;

  private final Tally tally;
  private final boolean resumes;
  private final int history;
  private final LastFrame last = new LastFrame();
  private @Nullable FrameName named;
  private Count unnamed = Count.NO_FRAME;
  private boolean waits;
  private boolean resumed;
  private int historyLeft;

  Past(Plan plan, Tally tally) {
    this.tally = tally;
    resumes = plan.disturbance().resumes();
    history = plan.connecting().history();
  }

  /**
   * What a JOIN that is written now asks for: further fields of its JSON, each behind a comma.
   *
   * @param back whether the user lost its last membership
   */
  String ask(boolean back) {
    named = back && resumes ? last.name() : null;
    waits = true;
    resumed = false;
    historyLeft = history;
    FrameName name = named;
    String after = name == null ? "" : ",\"after\":" + name.json();
    return history == 0 ? after : after + ",\"history\":" + history;
  }

  /** A frame of the room came before the own JOIN. */
  Part before(byte[] bytes, int from, int to) {
    FrameName name = named;
    if (waits && name != null && name.equals(FrameName.of(bytes, from, to))) {
      resumed = true;
    } else if (waits && name != null) {
      failed();
    }
    boolean first = waits;
    waits = false;
    if (resumed) {
      tally.add(Count.CAUGHT_UP, first ? 0 : 1);
      return first ? Part.NAMED : Part.OTHER;
    }
    return --historyLeft >= 0 ? Part.HISTORY : Part.OTHER;
  }

  /** The named frame was not shown: what the user had is not asked for again. */
  private void failed() {
    last.forget();
    unnamed = Count.NOT_FOUND;
    named = null;
  }

  /** Whether frames are kept at all. */
  boolean keeps() {
    return resumes;
  }

  /** A frame came that is the last which the user has, without a gap since its membership began. */
  void took(byte[] bytes, int from, int to) {
    if (resumes) {
      last.keep(bytes, from, to);
    }
  }

  /** The connection ended with this code; returns whether the user may go on behind its frame. */
  boolean lost(int code) {
    if (code == LOSS) {
      last.forget();
      unnamed = Count.AFTER_LOSS;
    }
    return last.isKept();
  }

  /** Whether all that comes is behind the frame that was named. */
  boolean isResumed() {
    return resumed;
  }

  /** The own JOIN of a user that came back is there; returns whether its fate is told by it. */
  boolean cameBack() {
    if (!resumes) {
      return true;
    }
    tally.count(resumed ? Count.RESUMED : named == null ? unnamed : Count.NOT_FOUND);
    unnamed = Count.NO_FRAME;
    return resumed;
  }
}
