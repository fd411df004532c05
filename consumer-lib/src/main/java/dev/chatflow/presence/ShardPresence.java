package dev.chatflow.presence;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Digest;
import dev.chatflow.log.Entry;
import dev.chatflow.log.PresenceListener;
import dev.chatflow.log.PresenceOutlet;
import dev.chatflow.log.Signals;
import dev.chatflow.log.Stamp;
import dev.chatflow.message.Line;
import dev.chatflow.presence.PresenceMap.Tally;
import dev.chatflow.room.RoomId;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who is in the rooms of one shard on all servers: what JOINs and LEAVEs of its log say since the
 * own request was read in it, and what the other lanes answered to that of those who came before.
 *
 * <p>It is <em>complete</em> when every lane that is there has answered. Complete ones are equal at
 * equal places of the log. A lane that says that it has other members than are known here is asked
 * again. One that has fallen silent is called gone by an entry of the log, so that its members end
 * for everybody at the same place; LEAVEs tell their rooms.
 *
 * <p>The reader's thread alone; time is handed in. Bounded by {@link PresenceLimit}.
 */
public final class ShardPresence implements PresenceListener {

  /** LEAVEs of members of lanes that are gone that are said at a time. */
  private static final int LEAVES = 500;

  /** Whether the lane's newest entries announce that it leaves the shard. */
  private enum Farewell {
    NONE,
    SAID,
    READ
  }

  /** Who wants to know what befalls the people. The reader's thread calls; no call parks. */
  public interface Watch {

    /**
     * All are known.
     *
     * @param changed whether other people are there than JOINs and LEAVEs told
     */
    void completed(boolean changed);

    /** The others took this server for dead: this connection of it is no member any more. */
    void ended(String connectionId);
  }

  private static final Watch NOBODY =
      new Watch() {
        @Override
        public void completed(boolean changed) {}

        @Override
        public void ended(String connectionId) {}
      };

  /** A room and how many people are in it. */
  public record RoomSize(String room, int members) {}

  private final PresenceOutlet outlet;
  private final PresenceLimit bound;
  private final PresenceMeter meter;
  private final OrphanedLeaves orphaned;
  private final PresenceMap presence;
  private final OtherLanes others;
  private final LostServerMembers lost;
  private final SnapshotRequest request;
  private final SnapshotAnswer answer = new SnapshotAnswer();
  private Watch watch = NOBODY;
  private Farewell farewell = Farewell.NONE;
  private boolean complete;
  private boolean changed;

  /**
   * Makes one that knows nothing.
   *
   * @param outlet the lane of this server
   * @param bound shared by all shards
   */
  public ShardPresence(
      PresenceOutlet outlet, OrphanedLeaves orphaned, PresenceLimit bound, PresenceMeter meter) {
    this.outlet = outlet;
    this.orphaned = orphaned;
    this.bound = bound;
    this.meter = meter;
    this.presence = new PresenceMap(outlet.name(), bound);
    this.others = new OtherLanes(outlet.name());
    this.lost = new LostServerMembers(bound);
    this.request = new SnapshotRequest(outlet, meter);
  }

  /** Who is told from now on. */
  public void watch(Watch next) {
    watch = next;
  }

  // --- what the reader tells

  @Override
  public void begins() {
    forget();
    request.make(true, others.beats());
  }

  @Override
  public void forget() {
    forgetMembers();
    others.clear();
  }

  @Override
  public void undecided(Entry entry) {
    forgetMembers();
    others.askAll();
    if (!entry.lane().equals(outlet.name())) {
      others.observed(entry).ask();
    }
  }

  @Override
  public boolean hasSaidFarewell() {
    if (farewell == Farewell.NONE) {
      outlet.announceLost(List.of(outlet.name()));
      farewell = Farewell.SAID;
    }
    return farewell == Farewell.READ;
  }

  private void forgetMembers() {
    presence.clear();
    lost.clear();
    answer.forget();
    request.forget();
    others.beatNext();
    complete = false;
    changed = false;
  }

  @Override
  public void attached() {
    if (request.since() == null) {
      request.make(true, others.beats());
    }
  }

  @Override
  public void shown(Lane lane, Line.Message line) {
    ChangesSince behind = request.since();
    Stamp stamp = Stamp.of(line);
    if (behind == null || stamp == null) {
      return;
    }
    switch (line.type()) {
      case JOIN -> {
        behind.joined(line.room().value(), line.userId());
        removeLost(() -> lost.joined(line.room().value(), line.userId()));
        presence.put(
            line.room().value(),
            new Person(
                line.userId(),
                line.username(),
                lane,
                stamp.connectionId(),
                stamp.time(),
                line.serverMillis()));
      }
      case LEAVE -> {
        behind.left(line.room().value(), line.userId(), stamp.connectionId());
        removeLost(() -> lost.left(line.room().value(), line.userId(), stamp.connectionId()));
        Person known = presence.get(line.room().value(), line.userId());
        if (known != null && known.rank().equals(stamp)) {
          presence.remove(line.room().value(), line.userId());
        }
      }
      case TEXT -> {}
    }
  }

  /** When all rooms have been told of all who fell, everybody may count anew. */
  private void removeLost(Runnable one) {
    if (!lost.isEmpty()) {
      one.run();
      changed |= lost.isEmpty();
    }
  }

  @Override
  public void read(
      Entry entry, Signals signals, byte @Nullable [] page, boolean sure, long nowNanos) {
    if (entry.lane().equals(outlet.name())) {
      readOwn(entry, signals, sure, nowNanos);
    } else {
      readOther(entry, signals, page);
    }
    signals.lostLanes().forEach(lane -> laneLost(lane, entry.lane()));
    settle();
    step(nowNanos);
  }

  private void readOwn(Entry entry, Signals signals, boolean sure, long now) {
    farewell = signals.lostLanes().contains(outlet.name()) ? Farewell.READ : Farewell.NONE;
    if (request.isReadIn(signals, sure)) {
      others.requested();
    }
    if (request.since() == null) {
      return;
    }
    if (others.isBeat(now)) {
      Tally own = presence.tally(outlet.name());
      outlet.announceMembers(new Digest(entry.number(), own.members(), own.hash()));
      beat();
    }
    publishOrphanedLeaves();
  }

  private void readOther(Entry entry, Signals signals, byte @Nullable [] page) {
    OtherLane present = others.observed(entry);
    ChangesSince behind = request.since();
    if (behind == null) {
      present.ask(); // of what is read back nobody is remembered
      return;
    }
    if (signals.request() > 0) {
      Page.Request other = new Page.Request(entry.lane(), signals.request());
      answer.requested(other);
      behind.requested(other);
    }
    if (page != null) {
      take(entry.lane(), present, Page.read(entry.lane(), page), behind);
    }
    Digest said = signals.members();
    if (said != null) {
      compare(present, said);
    }
    present.note(entry.number(), presence.tally(entry.lane()));
  }

  /**
   * A lane's members end here: it has fallen silent, or its server begins with the shard again. Of
   * those whom this server knew the rooms are to be told; its own connections are to come back.
   */
  private void laneLost(Lane lane, Lane by) {
    others.lost(lane);
    List<Page.Listed> members = presence.take(lane);
    if (lane.equals(outlet.name())) {
      members.forEach(each -> watch.ended(each.person().connectionId()));
    } else if (!members.isEmpty()) {
      lost.add(members, others.beats());
      if (!lane.equals(by)) {
        meter.laneDied();
      }
    }
  }

  private void take(Lane lane, OtherLane present, @Nullable Page page, ChangesSince behind) {
    if (page == null) {
      meter.pageUnreadable();
      return;
    }
    if (present.isAnswered() || !behind.isAnsweredBy(page.request())) {
      return;
    }
    page.lanes().forEach(others::namedBy);
    List<Page> whole = present.take(page);
    if (whole != null) {
      changed |= presence.merge(lane, whole, behind);
      present.answered();
    }
  }

  private void compare(OtherLane present, Digest said) {
    Tally known = present.behind(said.flight());
    if (known == null || presence.isIncomplete()) {
      return;
    }
    boolean equal = known.members() == said.members() && known.hash() == said.hash();
    if (!equal && present.isAnswered()) {
      meter.presenceDiffers();
      present.ask();
    }
  }

  private void settle() {
    ChangesSince behind = request.since();
    boolean now = behind != null && !presence.isIncomplete() && others.haveAllAnswered();
    boolean news = now && (!complete || changed);
    complete = now;
    if (now && behind != null) {
      behind.settled();
    }
    if (news) {
      request.answered();
      watch.completed(changed);
      changed = false;
    }
    if (behind != null && behind.isSettled() && !others.haveAllAnswered()) {
      request.repeatUnlessNew(others.beats());
    }
  }

  // --- beats

  private void beat() {
    List<Lane> silent = others.silent(presence);
    if (!silent.isEmpty()) {
      outlet.announceLost(silent);
    }
    if (presence.isIncomplete() && bound.hasSpaceAgain()) {
      presence.clearIncomplete();
      others.askAll();
    }
    request.repeatIfLate(!others.haveAllAnswered(), others.beats());
  }

  /** Tells the rooms of whom other servers had, some at a time. */
  private void publishOrphanedLeaves() {
    if (!lost.isEmpty()
        && !orphaned.isBusy()
        && others.isResponsible(others.beats() - lost.lastBeat())) {
      lost.say(LEAVES).forEach(each -> orphaned.leaves(new RoomId(each.room()), each.person()));
    }
  }

  @Override
  public void step(long nowNanos) {
    Page.Request request = answer.takeIfDue(nowNanos);
    if (request == null) {
      return;
    }
    List<Page.Listed> own = new ArrayList<>();
    presence.each(outlet.name(), (room, person) -> own.add(new Page.Listed(room, person)));
    outlet.sendSnapshot(Page.bodies(request, others.counting(presence, Page.MOST_LANES), own));
  }

  // --- what is asked

  /** Whether all people of all servers are known. */
  public boolean isComplete() {
    return complete;
  }

  /** The people of a room by user id as text; a live view. */
  public NavigableMap<String, Person> of(RoomId room) {
    return presence.of(room.value());
  }

  /**
   * At most so many rooms with people, by id as text.
   *
   * @param after behind this one
   */
  public List<RoomSize> rooms(String after, int most) {
    return presence.rooms().tailMap(after, false).entrySet().stream()
        .limit(most)
        .map(each -> new RoomSize(each.getKey(), each.getValue().size()))
        .toList();
  }

  /** Shows the members of this server, with their rooms. */
  public void own(BiConsumer<String, Person> shown) {
    presence.each(outlet.name(), shown);
  }

  /** How many people of all rooms, and the XOR of their hashes: equal where all is equal. */
  public Digest sum() {
    int members = 0;
    long hash = 0;
    for (Tally each : presence.tallies()) {
      members += each.members();
      hash ^= each.hash();
    }
    return new Digest(0, members, hash);
  }
}
