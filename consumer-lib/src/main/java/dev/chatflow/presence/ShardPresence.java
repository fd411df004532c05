package dev.chatflow.presence;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Digest;
import dev.chatflow.log.Entry;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.log.PresenceListener;
import dev.chatflow.log.PresenceOutlet;
import dev.chatflow.log.Stamp;
import dev.chatflow.message.Line;
import dev.chatflow.presence.PresenceMap.Tally;
import dev.chatflow.room.RoomId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The members of one shard's rooms on all servers. They are derived from the JOINs and LEAVEs read
 * since this server's request for snapshots, and from the snapshots that the other lanes sent in
 * reply.
 *
 * <p>Presence is <em>complete</em> when every active lane has sent its snapshot. Complete copies
 * are equal at equal positions of the log. A lane whose digest differs from what is known here is
 * asked again. A silent lane is announced as lost by an entry of the log, so its members end at the
 * same position for all servers; LEAVEs notify their rooms.
 *
 * <p>Used only by the reader's thread, which passes the time. Bounded by {@link PresenceLimit}.
 */
public final class ShardPresence implements PresenceListener {

  /** Maximum LEAVEs of lost members published at once. */
  private static final int LEAVES = 500;

  /** Whether the lane's newest entries announce that it leaves the shard. */
  private enum Farewell {
    NONE,
    SAID,
    READ
  }

  /** Receives changes of presence. The reader's thread calls; no call parks. */
  public interface Watch {

    /**
     * Reports that all members are known.
     *
     * @param changed whether the members differ from what JOINs and LEAVEs have shown
     */
    void completed(boolean changed);

    /**
     * Reports that the other servers considered this server lost, so this connection is no longer a
     * member.
     */
    void ended(String connectionId);
  }

  private static final Watch NOBODY =
      new Watch() {
        @Override
        public void completed(boolean changed) {}

        @Override
        public void ended(String connectionId) {}
      };

  /** A room and its number of users. */
  public record RoomSize(String room, int users) {}

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
  private boolean attached;
  private boolean complete;
  private boolean changed;

  /**
   * Creates an empty presence.
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

  /** Sets the receiver of later changes. */
  public void watch(Watch next) {
    watch = next;
  }

  // --- events of the reader

  @Override
  public void begins() {
    forget();
    request.make(true, others.beats());
  }

  @Override
  public void forget() {
    attached = false;
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
    attached = true;
    settle();
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
        behind.joined(line.room().value(), line.who());
        removeLost(() -> lost.joined(line.room().value(), line.who()));
        presence.put(
            line.room().value(),
            new Person(
                line.who(),
                line.username(),
                lane,
                stamp.connectionId(),
                stamp.time(),
                line.serverMillis(),
                line.data()));
      }
      case LEAVE -> {
        behind.left(line.room().value(), line.who(), stamp.connectionId());
        removeLost(() -> lost.left(line.room().value(), line.who(), stamp.connectionId()));
        Person known = presence.get(line.room().value(), line.who());
        if (known != null && known.rank().equals(stamp)) {
          presence.remove(line.room().value(), line.who());
        }
      }
      case TEXT, SIGNAL -> {}
    }
  }

  /** Removes a lost member. Once all rooms were notified, the counts have changed. */
  private void removeLost(Runnable one) {
    if (!lost.isEmpty()) {
      one.run();
      changed |= lost.isEmpty();
    }
  }

  @Override
  public void read(
      Entry entry,
      PresenceHeaders presenceHeaders,
      byte @Nullable [] page,
      boolean sure,
      long nowNanos) {
    if (entry.lane().equals(outlet.name())) {
      readOwn(entry, presenceHeaders, sure, nowNanos);
    } else {
      readOther(entry, presenceHeaders, page);
    }
    presenceHeaders.lostLanes().forEach(lane -> laneLost(lane, entry.lane()));
    settle();
    step(nowNanos);
  }

  private void readOwn(Entry entry, PresenceHeaders presenceHeaders, boolean sure, long now) {
    farewell = presenceHeaders.lostLanes().contains(outlet.name()) ? Farewell.READ : Farewell.NONE;
    if (request.isReadIn(presenceHeaders, sure)) {
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

  private void readOther(Entry entry, PresenceHeaders presenceHeaders, byte @Nullable [] page) {
    OtherLane present = others.observed(entry);
    ChangesSince behind = request.since();
    if (behind == null) {
      present.ask(); // members that were read back are not remembered
      return;
    }
    if (presenceHeaders.request() > 0) {
      Page.Request other = new Page.Request(entry.lane(), presenceHeaders.request());
      answer.requested(other);
      behind.requested(other);
    }
    if (page != null) {
      take(entry.lane(), present, Page.read(entry.lane(), page), behind);
    }
    Digest said = presenceHeaders.members();
    if (said != null) {
      compare(present, said);
    }
    present.note(entry.number(), presence.tally(entry.lane()));
  }

  /**
   * Ends a lane's members at this position: the lane fell silent, or its server starts to use the
   * shard again. Rooms are notified of the members known here; this server's own connections have
   * to reconnect.
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
    boolean now =
        attached && behind != null && !presence.isIncomplete() && others.haveAllAnswered();
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

  /** Publishes LEAVEs for members of lost servers, a limited number at a time. */
  private void publishOrphanedLeaves() {
    if (attached
        && !lost.isEmpty()
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

  // --- queries

  /**
   * Returns whether the members of all servers are known, and the log is followed. Before that, a
   * LEAVE that is published for a member could repeat one that is still to be read.
   */
  public boolean isComplete() {
    return complete;
  }

  /** Returns a live view of a room's members. */
  public RoomPresence of(RoomId room) {
    return presence.of(room.value());
  }

  /**
   * Returns at most this many rooms with members, sorted by id as text.
   *
   * @param after only rooms after this id
   */
  public List<RoomSize> rooms(String after, int most) {
    return presence.rooms().tailMap(after, false).entrySet().stream()
        .limit(most)
        .map(each -> new RoomSize(each.getKey(), each.getValue().users()))
        .toList();
  }

  /** Passes the members of this server, with their rooms. */
  public void own(BiConsumer<String, Person> shown) {
    presence.each(outlet.name(), shown);
  }

  /**
   * Returns the number of members in all rooms and the XOR of their hashes, which are equal for
   * equal presence.
   */
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
