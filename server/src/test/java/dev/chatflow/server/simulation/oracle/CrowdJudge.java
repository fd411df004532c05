package dev.chatflow.server.simulation.oracle;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Stamp;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.MessageType;
import dev.chatflow.server.edge.Post;
import dev.chatflow.server.publish.LaneEntry;
import dev.chatflow.server.simulation.crowd.Client;
import dev.chatflow.server.simulation.crowd.Crowd;
import dev.chatflow.server.simulation.crowd.Edge;
import dev.chatflow.server.simulation.crowd.Frames;
import dev.chatflow.server.simulation.crowd.Poster;
import dev.chatflow.server.simulation.crowd.Visit;
import dev.chatflow.server.simulation.oracle.LogFold.Judged;
import dev.chatflow.server.simulation.plan.Met.What;
import dev.chatflow.server.simulation.world.Said;
import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.Slice;
import dev.chatflow.server.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares the frames of every member with the meaning of the whole log. */
public final class CrowdJudge {

  /** A frame of the room, the position of its entry, and the cluster time of that. */
  private record Shown(String frame, int position, Said said, Lane lane, long millis) {}

  /**
   * The place of a signal.
   *
   * @param order its number among all signals
   * @param frames number of room frames before it
   */
  private record Place(int order, int frames) {}

  /**
   * A membership of a connection.
   *
   * @param first number of frames that the connection had got before it
   * @param begin the place of its first frame in the room
   * @param join index of its JOIN among its frames; -1 if it was not shown
   */
  private record Slot(int first, int begin, int join) {
    static Slot empty(int first) {
      return new Slot(first, -1, -1);
    }
  }

  /** Whether a user is in the room, according to the frames shown. */
  private record JoinedTime(String join, @Nullable Stamp stamp, boolean left) {}

  private final World world;
  private final Crowd crowd;
  private final List<Judged> truth;

  /** Everything shown, with signals. */
  private final List<Shown> all = new ArrayList<>();

  /** What belongs to the room's past: everything but signals. */
  private final List<Shown> room = new ArrayList<>();

  /** The place of each signal, by its id. */
  private final Map<String, Place> signals = new HashMap<>();

  private final Map<String, List<Integer>> positions = new HashMap<>();

  /** The ids of lines of muted users. */
  private final Set<String> refused = new HashSet<>();

  /** The verdicts on posts whose line is on time, by their ids. */
  private final Map<String, LineVerdict> posted = new HashMap<>();

  CrowdJudge(World world, Crowd crowd, LogFold fold, List<Judged> truth) {
    this.world = world;
    this.crowd = crowd;
    this.truth = truth;
    for (int position = 0; position < truth.size(); position++) {
      List<Said> lines = truth.get(position).lines();
      List<String> frames = fold.frames(truth.get(position));
      List<String> connections = fold.connections(truth.get(position));
      LaneEntry entry = truth.get(position).entry();
      for (int i = 0; i < lines.size(); i++) {
        posted.put(connections.get(i), lines.get(i).verdict());
        if (lines.get(i).verdict() == LineVerdict.REFUSED) {
          refused.add(Frames.id(frames.get(i)));
        }
        if (lines.get(i).verdict() == LineVerdict.SHOWN) {
          add(new Shown(frames.get(i), position, lines.get(i), entry.lane(), entry.timeMillis()));
        }
      }
    }
  }

  private void add(Shown shown) {
    all.add(shown);
    if (shown.said().type() == MessageType.SIGNAL) {
      signals.put(Frames.id(shown.frame()), new Place(signals.size(), room.size()));
    } else {
      positions.computeIfAbsent(shown.frame(), _ -> new ArrayList<>(1)).add(room.size());
      room.add(shown);
    }
  }

  void judge() {
    if (!world.isCut()) { // a truncated entry may be published again later
      judgeOrder();
      if (!world.log().isRing()) {
        judgeMutes();
      }
      crowd.poster().attempts().forEach(this::judgePost);
    }
    world.servers().forEach(this::judgePosts);
    Map<String, JoinedTime> stays = judgeStays();
    for (Client client : crowd.clients()) {
      judgeSettled(client, stays.get(client.id()));
      client.visits().forEach(this::judgeVisit);
    }
  }

  /**
   * Checks that each text and signal occurs once, in the order in which its user sent them. Those
   * of a ghost are left out: an attempt that its client had given up, and that was accepted after a
   * later one; its texts arrive later than these small windows reach. A text that was refused once
   * is a new one if it is sent again after the mute.
   */
  private void judgeOrder() {
    Map<Client, Integer> joined = new HashMap<>();
    Map<Client, Integer> said = new HashMap<>();
    Map<Client, Integer> signalled = new HashMap<>();
    Set<Client> ghosts = new HashSet<>();
    Set<String> seen = new HashSet<>();
    for (Shown shown : all) {
      if (shown.said().user().equals(Poster.USER) || shown.said().mute() != null) {
        continue;
      }
      Client client = crowd.client(shown.said().user());
      String id = Frames.id(shown.frame());
      if (shown.said().type() == MessageType.JOIN) {
        int visit = client.visitOf(id);
        boolean isGhost = visit < joined.getOrDefault(client, -1);
        boolean _ = isGhost ? ghosts.add(client) : ghosts.remove(client);
        joined.merge(client, visit, Math::max);
      } else if (shown.said().type() != MessageType.LEAVE && !ghosts.contains(client)) {
        world.check(seen.add(id), () -> id + " is shown twice");
        if (!client.hasGivenUp(id) && !refused.contains(id)) {
          judgeNumber(id, client, shown.said().type() == MessageType.TEXT ? said : signalled);
        }
      }
    }
  }

  private void judgeNumber(String id, Client client, Map<Client, Integer> last) {
    int number = Integer.parseInt(id.substring(id.indexOf('-') + 1));
    Integer before = last.put(client, number);
    world.check(before == null || number > before, () -> id + " is shown behind number " + before);
  }

  /**
   * Checks that nothing of a muted user is shown after the mute, until it ends. When entries were
   * late, so may be the repetitions of a mute: these small windows then pass without one. A single
   * large entry is as large as the window of a ring here.
   */
  private void judgeMutes() {
    Map<String, Shown> mutes = new HashMap<>();
    for (Shown shown : all) {
      Said said = shown.said();
      Shown newest = mutes.get(said.userId());
      if (said.mute() != null) {
        mutes.put(said.userId(), shown);
      } else if (newest != null && !said.type().changesMembership()) {
        Said.Mute mute = newest.said().mute();
        world.check(
            mute == null
                || shown.millis() >= mute.until()
                || truth.subList(newest.position(), shown.position()).stream()
                    .anyMatch(entry -> entry.worth() != LogFold.Worth.ON_TIME),
            () -> shown + " is shown although " + newest);
      }
    }
  }

  private void judgePosts(SimulatedServer server) {
    world.check(
        ((Edge) server.guests()).posts() == 0, () -> server + " knows nothing of some post");
  }

  /** Checks the reported fate of a post. */
  private void judgePost(Poster.Attempt attempt) {
    Post.Outcome outcome = attempt.outcome();
    if (outcome == null) {
      return;
    }
    LineVerdict verdict = posted.get(String.valueOf(attempt.connectionId()));
    boolean stands = verdict != null && verdict != LineVerdict.REFUSED;
    switch (outcome) {
      case SHOWN -> {
        world.met().count(What.POSTED);
        world.check(stands, () -> "never shown: " + attempt);
      }
      case NOT_TAKEN -> world.check(verdict == null, () -> "shown all the same: " + attempt);
      case REFUSED ->
          world.check(verdict == LineVerdict.REFUSED, () -> "not of a muted user: " + attempt);
      case UNKNOWN -> {}
    }
  }

  /** Checks that a LEAVE ends the newest JOIN of its user, once. */
  private Map<String, JoinedTime> judgeStays() {
    Map<String, JoinedTime> stays = new HashMap<>();
    for (Shown shown : room) {
      Said said = shown.said();
      if (said.type() == MessageType.JOIN) {
        stays.put(said.user(), new JoinedTime(Frames.id(shown.frame()), said.stamp(), false));
      } else if (said.type() == MessageType.LEAVE) {
        JoinedTime stay = stays.get(said.user());
        boolean ends = stay != null && !stay.left() && equal(stay.stamp(), said.stamp());
        world.check(
            ends || world.hasHoles(),
            () -> "a LEAVE that ends nothing: " + shown + " behind " + stay);
        stays.put(said.user(), new JoinedTime(stay == null ? "" : stay.join(), said.stamp(), true));
      }
    }
    return stays;
  }

  private static boolean equal(@Nullable Stamp one, @Nullable Stamp other) {
    return one != null && one.equals(other);
  }

  private void judgeSettled(Client client, @Nullable JoinedTime stay) {
    world.check(client.isSettled(), () -> client + " does not get in, or is not heard");
    Visit current = client.current();
    for (Visit visit : client.visits()) {
      world.check(
          !visit.isOpen() || visit.equals(current) || world.hasHoles(),
          () -> visit + " is open together with " + current);
      world.check(
          !visit.isOpen() || !visit.isDoomed(), () -> visit + " was not notified of the loss");
    }
    if (world.hasHoles()) {
      return;
    }
    if (client.isWanted()) {
      world.check(stay != null && !stay.left(), () -> client + " is shown as gone");
    } else if (stay != null && !stay.left()) {
      SimulatedServer server = client.visits().get(client.visitOf(stay.join())).server();
      world.check(
          (!server.isAlive() && !((Edge) server.guests()).isDrained())
              || server.witness().losses() > 0,
          () -> client + " has left, and no connection was notified");
    }
  }

  // --- the frames of one connection

  private void judgeVisit(Visit visit) {
    if (visit.isExcused()) {
      return;
    }
    Set<String> joins = new HashSet<>();
    List<List<String>> memberships = visit.memberships();
    List<Slot> slots = new ArrayList<>();
    int frame = 0;
    for (List<String> frames : memberships) {
      Slot slot =
          frames.isEmpty() ? Slot.empty(frame) : judgeMembership(visit, frames, frame, joins);
      slots.add(slot);
      frame += frames.size();
      int end = frames.isEmpty() ? room.size() : slot.begin() + frames.size();
      boolean isLast = visit.isOpen() && isLast(visit, frames);
      world.check(
          !isLast || end == room.size(),
          () -> visit + " was not shown the last frames of the room");
      if (visit.code() == Crowd.GOING_AWAY && isLast(visit, frames)) {
        judgeDrained(visit, end);
      }
    }
    judgeSignals(visit, slots);
  }

  /**
   * Checks that each signal was received at its place in the room, in order and once, between the
   * JOIN and the LEAVE of a membership. Any signal may be missing.
   */
  private void judgeSignals(Visit visit, List<Slot> slots) {
    int last = -1;
    for (Visit.Signalled each : visit.signals()) {
      Slot slot = slotAt(slots, each.frames());
      Place place = signals.get(each.id());
      int before = last;
      world.check(
          place != null
              && place.order() > before
              && slot.join() >= 0
              && each.frames() > slot.first() + slot.join()
              && place.frames() == slot.begin() + each.frames() - slot.first(),
          () ->
              visit + " got " + each + " of " + place + " behind number " + before + " in " + slot);
      last = place == null ? last : place.order();
    }
  }

  /** Returns the membership in which a connection has got this many frames. */
  private static Slot slotAt(List<Slot> slots, int frames) {
    Slot at = slots.getFirst();
    for (Slot slot : slots) {
      at = slot.first() <= frames ? slot : at;
    }
    return at;
  }

  private static boolean isLast(Visit visit, List<String> frames) {
    return visit.isMember() && frames.equals(visit.memberships().getLast());
  }

  /** Checks that a client of a drained server has got everything the server had accepted. */
  private void judgeDrained(Visit visit, int end) {
    if (!((Edge) visit.server().guests()).isDrained()) {
      return;
    }
    for (int at = end; at < room.size(); at++) {
      Shown missed = room.get(at);
      world.check(
          missed.said().type() != MessageType.TEXT
              || missed.lane().bootEpoch() != visit.server().boot(),
          () -> visit + " was asked to leave before it was shown " + missed);
    }
  }

  /**
   * Checks that its frames are one slice of the room.
   *
   * @param first number of frames of earlier memberships
   * @param joins its JOINs that were shown before; shown again they are the past
   */
  private Slot judgeMembership(Visit visit, List<String> frames, int first, Set<String> joins) {
    int begin = beginning(visit, frames);
    int join = -1;
    for (int i = 0; i < frames.size(); i++) {
      String frame = frames.get(i);
      Shown due = begin + i < room.size() ? room.get(begin + i) : null;
      world.check(
          due != null && due.frame().equals(frame),
          () -> visit + " was shown " + frame + " where the room has " + due);
      String id = Frames.id(frame);
      if (visit.asked(id) != null && joins.add(id)) {
        join = i;
      }
    }
    if (join >= 0) {
      judgePast(visit, frames, begin, join);
    }
    return new Slot(first, begin, join);
  }

  private int beginning(Visit visit, List<String> frames) {
    List<Integer> all = positions.getOrDefault(frames.getFirst(), List.of());
    world.check(!all.isEmpty(), () -> visit + " was shown what is not said: " + frames.getFirst());
    for (int at : all) {
      boolean next =
          frames.size() == 1
              || (at + 1 < room.size() && room.get(at + 1).frame().equals(frames.get(1)));
      if (next) {
        return at;
      }
    }
    return all.getFirst();
  }

  /** Checks that the requested past is complete, if its server could know it. */
  private void judgePast(Visit visit, List<String> frames, int begin, int join) {
    String id = Frames.id(frames.get(join));
    Visit.Asked asked = visit.asked(id);
    Slice slice = visit.knownAt(id);
    if (asked == null || slice == null) {
      return;
    }
    String after = asked.after();
    if (after != null && frames.getFirst().equals(after)) {
      return;
    }
    int first = firstKnown(slice);
    int known =
        (int) room.subList(0, begin + join).stream().filter(s -> s.position() >= first).count();
    world.check(join <= asked.history(), () -> visit + " was shown more than it asked for");
    if (after == null) {
      world.check(
          join >= Math.min(asked.history(), known),
          () -> visit + " was shown too little of the past");
    } else {
      List<Integer> all = positions.getOrDefault(after, List.of());
      boolean stoodThere = all.size() == 1 && all.getFirst() < begin + join; // and only once
      world.check(
          !stoodThere || room.get(all.getFirst()).position() < first,
          () -> visit + " was not shown what it named: " + after);
    }
  }

  /** Returns where its server's knowledge without a loss begins. */
  private static int firstKnown(Slice slice) {
    return slice.reports().isEmpty() ? Integer.MAX_VALUE : slice.reports().getFirst().position();
  }
}
