package dev.chatflow.server.simulation.oracle;

import dev.chatflow.log.LaneReader;
import dev.chatflow.server.publish.LaneEntry;
import dev.chatflow.server.simulation.crowd.Crowd;
import dev.chatflow.server.simulation.lines.Users;
import dev.chatflow.server.simulation.oracle.LogFold.Judged;
import dev.chatflow.server.simulation.oracle.LogFold.Worth;
import dev.chatflow.server.simulation.plan.Met.What;
import dev.chatflow.server.simulation.world.SimulatedLog;
import dev.chatflow.server.simulation.world.SimulatedLog.Stored;
import dev.chatflow.server.simulation.world.SimulatedRecorder;
import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.Slice;
import dev.chatflow.server.simulation.world.Slice.Report;
import dev.chatflow.server.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares the output of every server with the meaning of the whole log, once the run is quiet. */
public final class Judge {

  private final World world;
  private final SimulatedLog log;
  private final LogFold fold;
  private final List<Judged> truth = new ArrayList<>();

  public Judge(World world) {
    this.world = world;
    this.log = world.log();
    fold = new LogFold(log.window());
    for (int position = 0; position < log.size(); position++) {
      truth.add(fold.add(log.get(position).entry()));
    }
  }

  public void judge() {
    for (SimulatedServer server : world.servers()) {
      judgeSettled(server);
      if (server.guests() instanceof Users users) {
        users.judge();
      }
      server
          .witness()
          .lost()
          .forEach((position, entry) -> judgeNoticed(server.toString(), position, entry));
      if (!server.witness().isExcused()) {
        judgeReachesEnd(server.witness().slice());
        boolean isLost = !server.witness().lost().isEmpty() && !world.isCut();
        world.check(!isLost, () -> server + " lost something");
      }
    }
    judgeRecord(world.recorder());
    if (world.cast() instanceof Crowd crowd) {
      new CrowdJudge(world, crowd, fold, truth).judge();
    }
    for (SimulatedServer server : world.all()) {
      for (Slice slice : server.witness().slices()) {
        if (!slice.isExcused() && !slice.reports().isEmpty()) {
          judgeSlice(slice);
        }
      }
    }
  }

  /**
   * Checks that the archive contains each line once and in order, from the birth of the log to its
   * end.
   */
  private void judgeRecord(SimulatedRecorder recorder) {
    world.check(
        recorder.isFollowing() || recorder.record().isBehind(log),
        () -> "the recorder does not follow");
    List<Slice> slices = recorder.record().slices();
    if (!world.isCut() && log.isWhole()) {
      judgeBegins(slices);
    }
    slices.stream()
        .filter(slice -> !slice.isExcused() && !slice.reports().isEmpty())
        .forEach(this::judgeSlice);
    if (!slices.getLast().isExcused()) {
      judgeReachesEnd(slices.getLast());
    }
    Map.Entry<Integer, LaneEntry> lost = recorder.record().lost();
    if (lost != null && recorder.isFollowing()) {
      judgeNoticed("the record", lost.getKey(), lost.getValue());
    }
  }

  /** Checks the begin of each slice; the first one may have had no lines to report. */
  private void judgeBegins(List<Slice> slices) {
    int first =
        slices.stream()
            .flatMap(slice -> slice.reports().stream())
            .mapToInt(Report::position)
            .findFirst()
            .orElse(log.size());
    for (int next = 0; next < first; next++) {
      judgeMissing(slices.getFirst(), next);
    }
  }

  private void judgeSettled(SimulatedServer server) {
    LaneReader.State state = server.state();
    world.check(state == LaneReader.State.FOLLOWING, () -> server + " does not follow: " + state);
    world.check(server.lane().bytes() == 0, () -> "something of " + server + " is under way");
  }

  private void judgeNoticed(String reader, int position, LaneEntry entry) {
    boolean isSame = position < log.size() && isSame(log.get(position), entry);
    world.check(
        isSame,
        () -> reader + " did not notice that the log lost " + entry.lane() + " at " + position);
  }

  @SuppressWarnings("ReferenceEquality") // the identical entry
  private static boolean isSame(Stored stored, LaneEntry entry) {
    return stored.entry() == entry;
  }

  /**
   * Checks that each entry is decided as the log demands, and that none between the first and the
   * last is missing.
   */
  private void judgeSlice(Slice slice) {
    int next = slice.reports().getFirst().position();
    for (Report report : slice.reports()) {
      int position = report.position();
      world.check(position < log.size(), () -> slice + " read " + report + " behind the end");
      for (; next < position; next++) {
        judgeMissing(slice, next);
      }
      Judged meant = truth.get(position);
      world.check(
          meant.worth() == Worth.ON_TIME && meant.lines().equals(report.lines()),
          () -> slice + " handed on " + report + ", meant was " + meant.worth() + meant.lines());
      world.check(
          next == position, () -> slice + " handed on " + report + " once more, or too late");
      next = position + 1;
      world.met().count(What.PAST);
    }
  }

  private void judgeMissing(Slice slice, int position) {
    Judged meant = truth.get(position);
    world.check(
        meant.worth() != Worth.ON_TIME || meant.lines().isEmpty(),
        () -> slice + " misses the lines at " + position + ": " + meant.lines());
  }

  private void judgeReachesEnd(Slice slice) {
    List<Report> reports = slice.reports();
    if (!reports.isEmpty()) {
      for (int next = reports.getLast().position() + 1; next < log.size(); next++) {
        judgeMissing(slice, next);
      }
    }
  }
}
