package dev.chatflow.client.cli.option;

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
    boolean back = reconnect || resume || move || churnShare > 0;
    return new Disturbance(churnShare, churnPeriod, slowShare, slowRate, back, resume, move);
  }
}
