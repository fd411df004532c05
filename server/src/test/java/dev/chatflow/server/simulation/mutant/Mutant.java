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
  private static final String MESSAGE = "dev.chatflow.message.";
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
          new Mutant("late entries are shown", WINDOW + "EntryNumbers", "isInWindow", YES),
          new Mutant("lateness is not passed on", WINDOW + "EntryNumbers", "isBelowLate", NO),
          new Mutant("beacons pass lateness on", WINDOW + "EntryNumbers", "handsLatenessOn", YES),
          new Mutant(
              "unread entries count as late", WINDOW + "EntryNumbers", "mayBeEarlier", NO, RARE),
          new Mutant("lanes do not recover", LANE + "PublishLane", "isRecovering", NO),
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
              "stamps ignore the entries read", ClusterTime.class.getName(), "read", NOTHING),
          new Mutant("an entry sent twice is named", LANE + "LaneBook", "mayBeNamed", YES, RARE),
          new Mutant("texts after a LEAVE are shown", WINDOW + "Window", "isAfterLeave", NO),
          new Mutant("void texts are remembered", WINDOW + "Window", "leavesId", YES),
          new Mutant("complete one window behind", WINDOW + "Window", "windowsToKnow", YES, RARE),
          new Mutant(
              "the past begins before it is certain", READER + "CurrentEntry", "isUnsure", NO),
          new Mutant("the past counts as read back", LaneReader.class.getName(), "isPast", NO),
          new Mutant("texts are forgotten at once", WINDOW + "MessageIds", "isOutOfWindow", YES),
          new Mutant("texts are never forgotten", WINDOW + "MessageIds", "isOutOfWindow", NO),
          new Mutant("a lost log keeps the position", READER + "Footprint", "clear", NOTHING),
          new Mutant("a lost log keeps the lane", LANE + "PublishLane", "lost", NOTHING),
          new Mutant("any position matches", READER + "Footprint", "areMet", YES),
          new Mutant("one equal entry is enough to match", READER + "Footprint", "length", YES),
          new Mutant(
              "entries of an older channel are accepted",
              READER + "LogChannel",
              "freshInbox",
              new Change.Field("inbox")),
          new Mutant("a LEAVE is shown twice", WINDOW + "WindowMemberships", "left", YES),
          new Mutant("a lane rests with entries in flight", LANE + "PublishLane", "isIdle", YES),
          new Mutant(
              "a late LEAVE is not repeated",
              EDGE + "PendingLeaves$PendingLeave",
              "dropped",
              NOTHING),
          new Mutant("LEAVEs ignore JOINs", EDGE + "PendingLeaves", "joinRead", NOTHING, RARE),
          new Mutant(
              "a paused server continues", EDGE + "InboundFrames", "closeAfterPause", NOTHING),
          new Mutant("no connection is superseded", ROOM + "Room", "endOlder", NOTHING),
          new Mutant(
              "a device takes over from another",
              MESSAGE + "LineScan",
              "device",
              new Change.AnswerOf("extras")),
          new Mutant(
              "a loss closes no connection",
              EDGE + "ConnectionRegistry",
              "closeConcerned",
              NOTHING),
          new Mutant("a close needs no LEAVE", EDGE + "ConnectionEnd", "makesNoLeave", YES),
          new Mutant("a lost log keeps the past", ROOM + "Room", "forget", NOTHING),
          new Mutant("a removed member stays", EDGE + "Deliveries", "wasRemoved", NOTHING),
          new Mutant("a muted user is heard", WINDOW + "WindowMutes", "isMuted", NO),
          new Mutant("anyone edits any message", MESSAGE + "ClientRules", "moderates", YES),
          new Mutant(
              "data of a muted user's JOIN is shown", MESSAGE + "Line$Message", "silence", NOTHING),
          new Mutant(
              "snapshots leave out data", "dev.chatflow.presence.Page", "writeData", NOTHING),
          new Mutant("mutes are not repeated", READER + "LaneReader", "repeatMutes", NOTHING),
          new Mutant(
              "a repetition replaces a newer mute", WINDOW + "WindowMutes", "isReplaced", NO, RARE),
          new Mutant("a drain waits for no lane", SERVER + "Drain", "isBack", YES),
          new Mutant("a drain waits for no cursor", SERVER + "Drain", "isShownToAll", YES),
          new Mutant(
              "a drain keeps reading frames", EDGE + "ConnectionRegistry", "stopReading", NOTHING),
          new Mutant(
              "a post ignores a loss", EDGE + "Post", "dropped", new Change.AnswerOf("back")),
          new Mutant(
              "a gap in the past is shown",
              SHARD_ROOM + "RoomDelivery",
              "pastRestarts",
              NOTHING,
              RARE),
          new Mutant("a new member gets earlier signals", ROOM + "Signals", "end", NO),
          new Mutant("signals are taken again", ROOM + "Membership", "took", NOTHING),
          new Mutant("signals follow a LEAVE", ROOM + "Membership", "getsSignals", YES),
          new Mutant("a recorder records lines twice", READER + "Search", "isAtPosition", YES),
          new Mutant("a recorder forgets its window", RECORDER, "isRemembered", YES, RARE),
          new Mutant("reading back moves the position", RECORDER, "isPast", NO),
          new Mutant("copies move the position", RECORDER, "movesPosition", YES),
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
