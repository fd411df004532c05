package dev.chatflow.client.cli.option;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.plan.Plan;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which part of a run of several machines is played here. Filled by picocli, then read once. */
public final class PartOptions {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,2})/([0-9]{1,2})");
  private static final Duration FARTHEST = Duration.ofHours(24);

  /** Run ids have four digits of base 36, the first of which is not 0. */
  private static final int FIRST_ID = 36 * 36 * 36;

  private static final int IDS = 35 * 36 * 36 * 36;

  @Option(
      names = "--part",
      paramLabel = "K/N",
      description =
          "this program is the K-th of N that make one run: it plays its share of the users of every"
              + " room, with --verify kept-order; all else is given alike to each of them")
  private @Nullable String part;

  @Option(
      names = "--start-at",
      paramLabel = "TIME",
      description =
          "when all parts begin to send, in UTC such as 2026-11-25T14:00:00Z, within a day; it names"
              + " the run and its seed too")
  private @Nullable String startAt;

  /**
   * The plan as that part; unchanged when there is none.
   *
   * @param keepsSeed whether the plan's seed was given and is the same for all parts
   */
  public Plan applied(Plan plan, boolean keepsSeed) {
    String which = part;
    String time = startAt;
    if (which == null && time == null) {
      return plan;
    }
    if (which == null || time == null) {
      throw CommandFailure.usage("--part and --start-at need one another");
    }
    Matcher form = FORM.matcher(which);
    if (!form.matches()) {
      throw CommandFailure.usage("--part must be K/N such as 2/4, found " + which);
    }
    Instant start = start(time);
    Plan.Part own =
        new Plan.Part(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)), start);
    long second = start.getEpochSecond();
    String runId = Integer.toString(FIRST_ID + (int) Math.floorMod(second, (long) IDS), 36);
    return plan.asPart(own, runId, keepsSeed ? plan.seed() : second);
  }

  private static Instant start(String time) {
    Instant start;
    try {
      start = Instant.parse(time);
    } catch (DateTimeException e) {
      throw CommandFailure.usage(
          "--start-at must be a time in UTC such as 2026-11-25T14:00:00Z, found " + time);
    }
    Duration ahead = Duration.between(Instant.now(), start);
    if (ahead.isNegative() || ahead.compareTo(FARTHEST) > 0) {
      throw CommandFailure.usage(
          "--start-at must be ahead, by a day at most: it is %s, found %s"
              .formatted(Instant.now(), time));
    }
    return start;
  }
}
