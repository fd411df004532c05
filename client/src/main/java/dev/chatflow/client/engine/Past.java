package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.verify.FrameName;
import dev.chatflow.client.verify.LastFrame;
import org.jspecify.annotations.Nullable;

/**
 * The past of a room that one user requests when it joins, and the past frames that it receives
 * before its JOIN.
 *
 * <p>Belongs to the load thread of its room. Keeps one frame to resume after.
 */
final class Past {

  /** The kind of a frame before the JOIN of the user. */
  enum Part {
    /** The frame that the JOIN named; all later frames follow. */
    NAMED,
    /** One of the room's last frames, sent to a user that does not resume. */
    HISTORY,
    /** A frame after the named one, or one that was not requested. */
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
   * Returns the additional JSON fields of the next JOIN, each after a comma.
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

  /** Classifies a frame of the room before the JOIN of the user. */
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

  /** Records that the named frame was missing: the user does not name it again. */
  private void failed() {
    last.forget();
    unnamed = Count.NOT_FOUND;
    named = null;
  }

  /** Returns whether frames are kept. */
  boolean keeps() {
    return resumes;
  }

  /** Records the latest frame, if the user has all frames since its membership began. */
  void took(byte[] bytes, int from, int to) {
    if (resumes) {
      last.keep(bytes, from, to);
    }
  }

  /**
   * Records the end of the connection with this code; returns whether the user may resume after its
   * frame.
   */
  boolean lost(int code) {
    if (code == LOSS) {
      last.forget();
      unnamed = Count.AFTER_LOSS;
    }
    return last.isKept();
  }

  /** Returns whether all arriving frames follow the named one. */
  boolean isResumed() {
    return resumed;
  }

  /**
   * Records the JOIN of a returning user; returns whether it settles the outcome of unconfirmed
   * texts.
   */
  boolean cameBack() {
    if (!resumes) {
      return true;
    }
    tally.count(resumed ? Count.RESUMED : named == null ? unnamed : Count.NOT_FOUND);
    unnamed = Count.NO_FRAME;
    return resumed;
  }
}
