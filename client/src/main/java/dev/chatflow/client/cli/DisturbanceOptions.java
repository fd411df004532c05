package dev.chatflow.client.cli;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.plan.Disturbance;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the client does to its own connections. Filled by picocli, then read once. */
final class DisturbanceOptions {
  @Option(
      names = "--churn",
      paramLabel = "PCT/DUR",
      description =
          "drop PCT of the connections every DUR, reconnect and send again what was not seen")
  private @Nullable String churn;

  @Option(
      names = "--slow",
      paramLabel = "PCT@RATE",
      description = "PCT of the users read only RATE frames a second")
  private @Nullable String slow;

  @Option(
      names = "--reconnect",
      description = "open lost connections again and send again what was not seen")
  private boolean reconnect;

  @Option(
      names = "--resume",
      description =
          "reconnect, and ask with the JOIN for what was missed: the last frame at hand is named,"
              + " all behind it must come")
  private boolean resume;

  @Option(
      names = "--move",
      description = "reconnect to the next of the URLs in place of the same one")
  private boolean move;

  @Option(
      names = "--token-ttl",
      paramLabel = "DUR",
      description =
          "tokens of --token-key are good for so long (default 24h, and then nobody moves): a"
              + " minute before the end, or when the server ends the connection (below 2m), the"
              + " user resumes on a new one with a new token")
  private @Nullable Duration tokenTtl;

  /** How long the tokens are good that the client makes. */
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
