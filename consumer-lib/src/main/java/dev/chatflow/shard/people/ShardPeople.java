package dev.chatflow.shard.people;

import dev.chatflow.broker.Lane;
import dev.chatflow.message.line.Line;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.shard.Entry;
import dev.chatflow.shard.Stamp;
import dev.chatflow.shard.people.PeopleMap.Tally;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who is in the rooms of one shard on all servers: what JOINs and LEAVEs of its log say since the
 * own request was read in it, and what the other lanes answered to that of those who came before.
 *
 * <p>It is <em>complete</em> when every lane that is there has answered. Complete ones are equal at
 * equal places of the log. A lane that says that it has other members than are known here is asked
 * again; one that has fallen silent leaves with all its members, by LEAVEs in the log.
 *
 * <p>The reader's thread alone; time is handed in. Bounded by {@link PeopleBound}.
 */
public final class ShardPeople {

  /** Own entries that are read so far apart are beats: a little less than beacons are. */
  private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(3_900);

  /** All who asked within this time get one answer. */
  private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** An answer that has not come within so many beats is asked for again. */
  private static final int PATIENCE_BEATS = 3;

  /** A request that was read back is answered when it is no older than this. */
  private static final long FRESH_MILLIS = 15_000;

  /** LEAVEs of a silent lane that are said at a time. */
  private static final int LEAVES = 500;

  /** While answers are missing so many JOINs and LEAVEs are kept; beyond it is asked again. */
  private static final int MAX_SINCE = 100_000;

  /** Who wants to know when all people are known. */
  @FunctionalInterface
  public interface Completed {

    /**
     * All are known.
     *
     * @param changed whether answers said other than was known before
     */
    void completed(boolean changed);
  }

  /** A room and how many people are in it. */
  public record RoomSize(String room, int members) {}

  private final Shard shard;
  private final Voice voice;
  private final PeopleBound bound;
  private final PeopleMeter meter;
  private final Survivor survivor;
  private final PeopleMap people;
  private final RollCall roll;
  private final Sightings sightings = new Sightings();
  private final Set<Lane> silent = new HashSet<>();
  private Completed whenComplete = _ -> {};

  // Null before the own request was read.
  private @Nullable Since since;
  private long wanted;
  private long effective;
  private long askedBeat;
  private boolean attached;
  private boolean overflown;
  private boolean complete;
  private boolean changed;

  private long beatNanos;
  private boolean beating;
  private int said;
  private Page.@Nullable Request pending;
  private long pendingElapsed;
  private boolean answering;
  private long answeredNanos;

  /**
   * Makes one that knows nothing.
   *
   * @param voice the own lane
   * @param bound shared by all shards
   */
  public ShardPeople(
      Shard shard, Voice voice, Survivor survivor, PeopleBound bound, PeopleMeter meter) {
    this.shard = shard;
    this.voice = voice;
    this.survivor = survivor;
    this.bound = bound;
    this.meter = meter;
    this.people = new PeopleMap(voice.name(), bound);
    this.roll = new RollCall(voice.name());
  }

  /** Who is told each time that it has become complete. */
  public void listen(Completed told) {
    whenComplete = told;
  }

  // --- what the reader tells

  /** The log is about to be attached: the others are asked by the first own entry. */
  public void begins() {
    forget();
    ask(true);
  }

  /** Nothing that is known counts any more. */
  public void forget() {
    unknow();
    sightings.clear();
    attached = false;
    pending = null;
  }

  /** An entry of the past was read that nobody can judge: what was read before it is no use. */
  public void undecided(Entry entry, long builtMillis) {
    unknow();
    sightings.see(entry, builtMillis, Signals.NONE);
  }

  private void unknow() {
    people.clear();
    roll.clear();
    silent.clear();
    since = null;
    overflown = false;
    complete = false;
    changed = false;
  }

  /** The log is followed: all that is read from now on is known. */
  public void attached() {
    attached = true;
    if (since == null) {
      ask(true);
    }
  }

  private void ask(boolean begins) {
    wanted++;
    askedBeat = roll.beats();
    voice.ask(wanted, begins);
    meter.peopleAsked();
  }

  /** A line was read that is shown, of an entry of this lane; it is remembered from now on. */
  public void shown(Lane lane, Line.Message line) {
    Since behind = since;
    Stamp stamp = Stamp.of(line);
    if (behind == null || stamp == null) {
      return;
    }
    switch (line.type()) {
      case JOIN -> {
        behind.joined(line.room().value(), line.userId());
        put(
            line.room().value(),
            new Person(
                line.userId(),
                line.username(),
                lane,
                stamp.session(),
                stamp.time(),
                line.serverMillis()));
      }
      case LEAVE -> {
        behind.left(line.room().value(), line.userId(), stamp.session());
        Person known = people.get(line.room().value(), line.userId());
        if (known != null && known.rank().equals(stamp)) {
          people.remove(line.room().value(), line.userId());
        }
      }
      case TEXT -> {}
    }
  }

  private void put(String room, Person person) {
    overflown |= !people.put(room, person);
  }

  /**
   * An entry was read, for the first time, and all its lines were.
   *
   * @param builtMillis cluster time
   * @param page its body when it is of that kind, else null
   * @param sure whether everything that decides on what follows is known
   */
  public void read(
      Entry entry,
      long builtMillis,
      Signals signals,
      byte @Nullable [] page,
      boolean sure,
      long nowNanos) {
    if (since == null || !attached) {
      sightings.see(entry, builtMillis, signals);
    }
    if (entry.lane().equals(voice.name())) {
      readOwn(entry, signals, sure, nowNanos);
    } else {
      readOther(entry, signals, page);
    }
    settle();
    step(nowNanos);
  }

  private void readOwn(Entry entry, Signals signals, boolean sure, long now) {
    if (signals.who() == wanted && effective < wanted && sure) {
      asked();
    }
    if (since == null) {
      return;
    }
    Tally own = people.tally(voice.name());
    boolean isBeat = !beating || now - beatNanos >= BEAT_NANOS;
    boolean isOver = own.members() == 0 && said != 0;
    if (isBeat) {
      beating = true;
      beatNanos = now;
      beat();
    }
    if (isBeat || isOver) {
      said = own.members();
      voice.say(new Digest(entry.number(), own.members(), own.hash()));
    }
    bury();
  }

  /** The own request stands here in the log. */
  private void asked() {
    effective = wanted;
    if (since == null) {
      beating = false;
      roll.begin(sightings.present());
      boolean stale = sightings.elapsedMillis() - pendingElapsed > FRESH_MILLIS;
      pending = stale ? null : pending;
    }
    since = new Since(new Page.Request(voice.name(), wanted));
    roll.asked();
  }

  private void readOther(Entry entry, Signals signals, byte @Nullable [] page) {
    if (signals.who() > 0) {
      pending = new Page.Request(entry.lane(), signals.who());
      pendingElapsed = sightings.elapsedMillis();
    }
    Since behind = since;
    if (behind == null) {
      return;
    }
    if (signals.who() > 0) {
      behind.asked(new Page.Request(entry.lane(), signals.who()));
    }
    Present present = roll.heard(entry.lane(), entry.number());
    silent.remove(entry.lane());
    if (page != null) {
      take(entry.lane(), present, Page.read(entry.lane(), page), behind);
    }
    Digest said = signals.members();
    if (said != null && said.begins()) {
      begins(entry.lane(), present);
    } else if (said != null) {
      compare(present, said);
    }
    present.note(entry.number(), people.tally(entry.lane()));
  }

  /** Whoever is known of it has left, without a word: its server has lost the shard. */
  private void begins(Lane lane, Present present) {
    List<Page.Listed> left = new ArrayList<>();
    people.each(lane, (room, person) -> left.add(new Page.Listed(room, person)));
    left.forEach(each -> people.remove(each.room(), each.person().userId()));
    changed |= !left.isEmpty();
    present.answered();
  }

  private void take(Lane lane, Present present, @Nullable Page page, Since behind) {
    if (page == null || present.isAnswered() || !behind.isAnsweredBy(page.who())) {
      return;
    }
    List<Page> answer = present.take(page);
    if (answer != null) {
      merge(lane, answer, behind);
      present.answered();
    }
  }

  /** The answer stands for all that the log did not say since it was asked for. */
  private void merge(Lane lane, List<Page> answer, Since behind) {
    Map<String, Set<String>> listed = new TreeMap<>();
    for (Page page : answer) {
      for (Page.Listed each : page.people()) {
        Person person = each.person();
        listed.computeIfAbsent(each.room(), _ -> new HashSet<>()).add(person.userId());
        if (!behind.knowsBetter(each.room(), person) && isNewest(each.room(), person)) {
          changed |= !person.equals(people.get(each.room(), person.userId()));
          put(each.room(), person);
        }
      }
    }
    List<Page.Listed> ghosts = new ArrayList<>();
    people.each(
        lane,
        (room, person) -> {
          boolean isListed = listed.getOrDefault(room, Set.of()).contains(person.userId());
          if (!isListed && !behind.hasJoined(room, person.userId())) {
            ghosts.add(new Page.Listed(room, person));
          }
        });
    changed |= !ghosts.isEmpty();
    ghosts.forEach(each -> people.remove(each.room(), each.person().userId()));
  }

  private boolean isNewest(String room, Person person) {
    Person known = people.get(room, person.userId());
    return known == null
        || known.lane().equals(person.lane())
        || known.rank().compareTo(person.rank()) < 0;
  }

  private void compare(Present present, Digest said) {
    Tally known = present.behind(said.flight());
    if (known == null || overflown) {
      return;
    }
    boolean equal = known.members() == said.members() && known.hash() == said.hash();
    if (equal && !present.isAnswered()) {
      present.answered();
    } else if (!equal && present.isAnswered()) {
      meter.peopleDiffer();
      present.ask();
    }
  }

  private void settle() {
    Since behind = since;
    boolean now = behind != null && !overflown && roll.haveAllAnswered();
    boolean news = now && (!complete || changed);
    complete = now;
    if (now && behind != null) {
      behind.settled();
    }
    if (news) {
      whenComplete.completed(changed);
      changed = false;
    }
    if (behind != null && behind.isSettled() && !roll.haveAllAnswered()) {
      askIfNotJust();
    }
  }

  /** Once a beat at most. */
  private void askIfNotJust() {
    if (effective == wanted && roll.beats() > askedBeat) {
      ask(false);
    }
  }

  // --- beats

  private void beat() {
    roll.beat();
    silent.clear();
    roll.silent(
        people,
        (lane, fresh) -> {
          silent.add(lane);
          if (fresh) {
            meter.laneDied();
          }
        });
    askAgain();
  }

  private void askAgain() {
    Since behind = since;
    if (overflown && bound.hasSpaceAgain()) {
      overflown = false;
      roll.askAll();
    }
    boolean missing = !roll.haveAllAnswered() || effective < wanted;
    boolean waited = roll.beats() - askedBeat >= PATIENCE_BEATS;
    boolean full = behind != null && behind.size() > MAX_SINCE;
    if ((missing && waited) || full) {
      ask(since == null);
    }
  }

  /** Says the LEAVEs of the silent, some at a time. */
  private void bury() {
    for (Lane lane : silent) {
      if (!survivor.isBusy(shard) && roll.isOursToBury(lane)) {
        people
            .some(lane, LEAVES)
            .forEach(each -> survivor.leaves(new RoomId(each.getKey()), each.getValue()));
      }
    }
  }

  /** Answers who asked, when that is due. */
  public void step(long nowNanos) {
    Page.Request who = pending;
    boolean due = !answering || nowNanos - answeredNanos >= ANSWER_NANOS;
    if (who == null || since == null || !due) {
      return;
    }
    answering = true;
    answeredNanos = nowNanos;
    pending = null;
    List<Page.Listed> own = new ArrayList<>();
    people.each(voice.name(), (room, person) -> own.add(new Page.Listed(room, person)));
    voice.answer(Page.bodies(who, own));
  }

  // --- what is asked

  /** Whether all people of all servers are known. */
  public boolean isComplete() {
    return complete;
  }

  /** The people of a room by user id as text; a live view. */
  public NavigableMap<String, Person> of(RoomId room) {
    return people.of(room.value());
  }

  /**
   * At most so many rooms with people, by id as text.
   *
   * @param after behind this one
   * @param open which rooms are told
   */
  public List<RoomSize> rooms(String after, int most, Predicate<String> open) {
    return people.rooms().tailMap(after, false).entrySet().stream()
        .filter(each -> open.test(each.getKey()))
        .limit(most)
        .map(each -> new RoomSize(each.getKey(), each.getValue().size()))
        .toList();
  }

  /** Shows the members of this server, with their rooms. */
  public void own(BiConsumer<String, Person> shown) {
    people.each(voice.name(), shown);
  }

  /** How many people of all rooms, and the XOR of their hashes: equal where all is equal. */
  public Digest sum() {
    int members = 0;
    long hash = 0;
    for (Tally each : people.tallies()) {
      members += each.members();
      hash ^= each.hash();
    }
    return new Digest(0, members, hash);
  }
}
