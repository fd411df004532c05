package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;

/**
 * The disturbances of the client's own connections during the main phase, and its reaction.
 *
 * @param churnShare share of connections that are dropped without a close frame every {@code
 *     churnPeriod}
 * @param slowShare share of users that read only {@code slowFramesPerSecond}
 * @param reconnects whether lost connections are reopened and unconfirmed messages sent again
 * @param resumes whether returning users name their last frame to receive everything they missed
 * @param moves whether users return on the next server
 */
public record Disturbance(
    double churnShare,
    Duration churnPeriod,
    double slowShare,
    double slowFramesPerSecond,
    boolean reconnects,
    boolean resumes,
    boolean moves) {
  /** Maximum unconfirmed messages of a client that resends: rooms remember as many ids. */
  public static final int MAX_UNSEEN = 1024;

  public static final Disturbance NONE = new Disturbance(0, Duration.ZERO, 0, 0, false);

  public Disturbance {
    requireShare("--churn", churnShare);
    requireShare("--slow", slowShare);
    if (churnShare > 0 && (!churnPeriod.isPositive() || !reconnects)) {
      throw CommandFailure.usage("--churn must be PCT/DUR with DUR above 0");
    }
    if ((resumes || moves) && !reconnects) {
      throw new IllegalArgumentException("resuming and moving need reconnects");
    }
    if (slowShare > 0 && !(slowFramesPerSecond > 0)) {
      throw CommandFailure.usage("--slow must be PCT@RATE with RATE above 0");
    }
  }

  /**
   * Creates disturbances in which users return on their own server, without the messages they
   * missed.
   */
  public Disturbance(
      double churnShare,
      Duration churnPeriod,
      double slowShare,
      double slowFramesPerSecond,
      boolean reconnects) {
    this(churnShare, churnPeriod, slowShare, slowFramesPerSecond, reconnects, false, false);
  }

  public boolean churns() {
    return churnShare > 0;
  }

  /** Returns whether this user is slow: slow users are spread evenly over the rooms. */
  public boolean isSlow(int user) {
    return Math.floor((user + 1) * slowShare) > Math.floor(user * slowShare);
  }

  private static void requireShare(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw CommandFailure.usage(name + " must be from 0% to 100%, found " + share * 100 + "%");
    }
  }
}
