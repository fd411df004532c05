package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.plan.Disturbance;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that disturb the client's own connections. Filled by picocli, then read once. */
final class DisturbanceOptions {
  @Option(
      names = "--churn",
      paramLabel = "PCT/DUR",
      description =
          "drop PCT of the connections every DUR, reconnect and resend unconfirmed messages")
  private @Nullable String churn;

  @Option(
      names = "--slow",
      paramLabel = "PCT@RATE",
      description = "let PCT of the users read only RATE frames per second")
  private @Nullable String slow;

  @Option(
      names = "--reconnect",
      description = "reopen lost connections and resend unconfirmed messages")
  private boolean reconnect;

  @Option(
      names = "--resume",
      description =
          "reconnect and resume after the last received frame: all later frames must arrive")
  private boolean resume;

  @Option(names = "--move", description = "reconnect to the next URL instead of the same one")
  private boolean move;

  @Option(
      names = "--token-ttl",
      paramLabel = "DUR",
      description =
          "validity of the tokens made with --token-key. A minute before the end, or after the"
              + " server has closed the connection (below 2m), users resume on a new connection"
              + " with a new token [default: 24h, no token renewal]")
  private @Nullable Duration tokenTtl;

  /** Returns the validity of the tokens that the client creates. */
  Duration tokenLife() {
    Duration life = tokenTtl == null ? TargetOptions.LIFE : tokenTtl;
    if (life.compareTo(Duration.ofSeconds(1)) < 0) {
      throw CommandFailure.usage("--token-ttl must be 1s or more, found " + life.toMillis() + "ms");
    }
    return life;
  }

  Disturbance disturbance() {
    double churnShare = 0;
    Duration churnPeriod = Duration.ZERO;
    if (churn != null) {
      int slash = churn.indexOf('/');
      if (slash < 0) {
        throw CommandFailure.usage("--churn must be PCT/DUR such as 10%/5s, found " + churn);
      }
      churnShare = Values.share(churn.substring(0, slash));
      churnPeriod = Values.duration(churn.substring(slash + 1));
    }
    double slowShare = 0;
    double slowRate = 0;
    if (slow != null) {
      int at = slow.indexOf('@');
      if (at < 0) {
        throw CommandFailure.usage("--slow must be PCT@RATE such as 1%@10, found " + slow);
      }
      slowShare = Values.share(slow.substring(0, at));
      slowRate = Values.amount(slow.substring(at + 1));
    }
    boolean resumes = resume || tokenTtl != null;
    boolean back = reconnect || resumes || move || churnShare > 0;
    return new Disturbance(churnShare, churnPeriod, slowShare, slowRate, back, resumes, move);
  }
}
