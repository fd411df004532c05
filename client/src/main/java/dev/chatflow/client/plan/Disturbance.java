package dev.chatflow.client.plan;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;

/**
 * What the client does to its own connections during the main phase, and whether it mends them.
 *
 * @param churnShare part of the connections dropped without a close frame every {@code churnPeriod}
 * @param slowShare part of the users that read only {@code slowFramesPerSecond}
 * @param reconnects whether a lost connection is opened again and what was not seen is sent again
 * @param resumes whether who comes back names the last frame it has, to be shown what it missed
 * @param moves whether who comes back does so on the next server
 */
public record Disturbance(
    double churnShare,
    Duration churnPeriod,
    double slowShare,
    double slowFramesPerSecond,
    boolean reconnects,
    boolean resumes,
    boolean moves) {
  /** A client that resends keeps no more unseen: rooms remember as many ids. */
  public static final int MAX_UNSEEN = 1024;

  public static final Disturbance NONE = new Disturbance(0, Duration.ZERO, 0, 0, false);

  public Disturbance {
    requireShare("--churn", churnShare);
    requireShare("--slow", slowShare);
    if (churnShare > 0 && (!churnPeriod.isPositive() || !reconnects)) {
      throw CommandFailure.usage("--churn must be PCT/DUR with DUR above 0");
    }
    if ((resumes || moves) && !reconnects) {
      throw new IllegalArgumentException("nobody resumes or moves who does not come back");
    }
    if (slowShare > 0 && !(slowFramesPerSecond > 0)) {
      throw CommandFailure.usage("--slow must be PCT@RATE with RATE above 0");
    }
  }

  /** Who comes back does so on its own server, and asks for nothing that it missed. */
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

  /** Whether this user is a slow one: they are spread evenly over the rooms. */
  public boolean isSlow(int user) {
    return Math.floor((user + 1) * slowShare) > Math.floor(user * slowShare);
  }

  private static void requireShare(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw CommandFailure.usage(name + " must be from 0% to 100%, found " + share * 100 + "%");
    }
  }
}
