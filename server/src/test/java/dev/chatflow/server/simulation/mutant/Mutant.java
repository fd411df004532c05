package dev.chatflow.server.simulation.mutant;

import dev.chatflow.log.ClusterTime;
import dev.chatflow.log.LaneReader;
import dev.chatflow.log.PositionReader;
import java.util.List;

/**
 * A rule that is left out.
 *
 * @param name the effect
 * @param className the class of the method
 * @param method its name, unique in the class
 * @param within number of seeds that find it
 */
public record Mutant(String name, String className, String method, Change change, long within) {

  private static final String WINDOW = "dev.chatflow.log.";
  private static final String READER = "dev.chatflow.log.";
  private static final String RECORDER = PositionReader.class.getName();
  private static final String SERVER = "dev.chatflow.server.";
  private static final String EDGE = "dev.chatflow.server.edge.";
  private static final String ROOM = "dev.chatflow.room.";
  private static final String SHARD_ROOM = "dev.chatflow.delivery.";
  private static final String LANE = "dev.chatflow.server.publish.";

  private static final Change NO = new Change.Constant(0);
  private static final Change YES = new Change.Constant(1);
  private static final Change NOTHING = new Change.Nothing();

  private static final long USUAL = 500;
  private static final long RARE = 20_000;

  private Mutant(String name, String className, String method, Change change) {
    this(name, className, method, change, USUAL);
  }

  /** All mutants. */
  public static final List<Mutant> ALL =
      List.of(
          new Mutant("late entries are shown", WINDOW + "Numbers", "isInWindow", YES),
          new Mutant("lateness is not handed on", WINDOW + "Numbers", "isBelowLate", NO),
          new Mutant("beacons hand it on", WINDOW + "Numbers", "handsLatenessOn", YES),
          new Mutant(
              "what was not read counts as late", WINDOW + "Numbers", "mayBeEarlier", NO, RARE),
          new Mutant("nobody recovers", LANE + "PublishLane", "isRecovering", NO),
          new Mutant(
              "`read` is noted at building",
              LANE + "EntryBuilder",
              "least",
              new Change.Argument(0)),
          new Mutant(
              "stamps are the wall clock's",
              ClusterTime.class.getName(),
              "next",
              new Change.AnswerOf("now")),
          new Mutant(
              "stamps know nothing of what was read", ClusterTime.class.getName(), "read", NOTHING),
          new Mutant("what was sent twice is named", LANE + "LaneBook", "mayBeNamed", YES, RARE),
          new Mutant("texts of a left connection show", WINDOW + "Window", "isAfterLeave", NO),
          new Mutant("void texts are remembered", WINDOW + "Window", "leavesId", YES),
          new Mutant("complete one window behind", WINDOW + "Window", "windowsToKnow", YES, RARE),
          new Mutant("the past begins before it is sure", READER + "CurrentEntry", "isUnsure", NO),
          new Mutant("the past counts as come back", LaneReader.class.getName(), "isPast", NO),
          new Mutant("texts are forgotten at once", WINDOW + "MessageIds", "isOutOfWindow", YES),
          new Mutant("texts are never forgotten", WINDOW + "MessageIds", "isOutOfWindow", NO),
          new Mutant("a loss leaves the place", READER + "Footprint", "clear", NOTHING),
          new Mutant("a loss leaves the lane", LANE + "PublishLane", "lost", NOTHING),
          new Mutant("any place is the place", READER + "Footprint", "areMet", YES),
          new Mutant("one equal entry is the place", READER + "Footprint", "length", YES),
          new Mutant(
              "what an older channel brings is taken",
              READER + "LogChannel",
              "freshInbox",
              new Change.Field("inbox")),
          new Mutant("a LEAVE is shown twice", WINDOW + "Stays", "left", YES),
          new Mutant("rests with own entries out", LANE + "PublishLane", "isIdle", YES),
          new Mutant(
              "a late LEAVE is not said again",
              EDGE + "PendingLeaves$PendingLeave",
              "dropped",
              NOTHING),
          new Mutant(
              "LEAVEs know nothing of JOINs", EDGE + "PendingLeaves", "joinRead", NOTHING, RARE),
          new Mutant("a thawed server goes on", EDGE + "InboundFrames", "closeAfterPause", NOTHING),
          new Mutant("nobody is taken over", ROOM + "Room", "endOlder", NOTHING),
          new Mutant(
              "a loss is told to nobody", EDGE + "ConnectionRegistry", "closeConcerned", NOTHING),
          new Mutant("a close never owes a LEAVE", EDGE + "ConnectionEnd", "makesNoLeave", YES),
          new Mutant("a loss leaves the past", ROOM + "Room", "forget", NOTHING),
          new Mutant("a drain waits for no lane", SERVER + "Drain", "isBack", YES),
          new Mutant("a drain waits for no cursor", SERVER + "Drain", "isShownToAll", YES),
          new Mutant("a drain goes on taking", EDGE + "ConnectionRegistry", "stopReading", NOTHING),
          new Mutant(
              "a post ignores a loss", EDGE + "Post", "dropped", new Change.AnswerOf("back")),
          new Mutant(
              "a gap in the past is shown",
              SHARD_ROOM + "RoomTaker",
              "pastRestarts",
              NOTHING,
              RARE),
          new Mutant("a recorder takes lines again", READER + "Search", "isAtPosition", YES),
          new Mutant("a recorder forgets its window", READER + "Search", "keepsMemory", YES),
          new Mutant("reading back moves the position", RECORDER, "isPast", NO),
          new Mutant("copies move the window again", RECORDER, "noteCopy", NOTHING),
          new Mutant("a failed entry is not read again", RECORDER, "restart", NOTHING));

  /** Returns the mutant with this name. */
  public static Mutant named(String name) {
    return ALL.stream()
        .filter(mutant -> mutant.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no mutant: " + name));
  }

  @Override
  public String toString() {
    return name;
  }
}
