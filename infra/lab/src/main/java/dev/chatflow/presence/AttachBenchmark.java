package dev.chatflow.presence;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Digest;
import dev.chatflow.log.Entry;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.log.PresenceOutlet;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures how a server learns the members of a shard: it reads the answers of three others until
 * all members are known.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AttachBenchmark {

  private static final int LANES = 3;
  private static final int ROOM_SIZE = 50;
  private static final Lane OWN = new Lane("server-0", 1_000, 0);
  private static final Page.Request REQUEST = new Page.Request(OWN, 1);

  /** Members on all other servers, in rooms of 50. */
  @Param({"1000", "100000"})
  public int members;

  /** An entry of an answer, in the order of the shard log. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Read(Entry entry, byte[] page) {}

  private final List<Read> answers = new ArrayList<>();

  /** Publishes nothing, because the benchmark supplies the answers. */
  private static final class Silent implements PresenceOutlet, OrphanedLeaves {
    @Override
    public Lane name() {
      return OWN;
    }

    @Override
    public void requestSnapshots(long request, boolean begins) {}

    @Override
    public void announceLost(List<Lane> lanes) {}

    @Override
    public void announceMembers(Digest members) {}

    @Override
    public void sendSnapshot(List<byte[]> pages) {}

    @Override
    public boolean isBusy() {
      return false;
    }

    @Override
    public void leaves(RoomId room, Person person) {}
  }

  private static Lane lane(int other) {
    return new Lane("server-" + (other + 1), 1_000, 0);
  }

  /** Writes the answers. */
  @Setup
  public void write() {
    for (int i = 0; i < LANES; i++) {
      Lane lane = lane(i);
      long number = 2; // a lane with only its first entry read has no members
      for (byte[] page : Page.bodies(REQUEST, List.of(), presence(lane, i))) {
        answers.add(new Read(new Entry(lane, ++number, 0, true), page));
      }
    }
  }

  private List<Page.Listed> presence(Lane lane, int first) {
    List<Page.Listed> presence = new ArrayList<>();
    for (int user = first; user < members; user += LANES) {
      String connectionId = Integer.toHexString(user);
      Person person =
          new Person(
              new UserDevice("" + user, ""),
              "user" + user,
              lane,
              connectionId,
              1_763_812_800_000L + user,
              1_000,
              null);
      presence.add(new Page.Listed("" + user / ROOM_SIZE, person));
    }
    return presence;
  }

  /** Runs from the server's request in the shard log to the last answer. */
  @Benchmark
  public ShardPresence attach() {
    Silent outlet = new Silent();
    ShardPresence presence =
        new ShardPresence(outlet, outlet, new PresenceLimit(members), PresenceMeter.NONE);
    presence.begins();
    for (int i = 0; i < LANES; i++) { // read back
      presence.read(new Entry(lane(i), 2, 0, false), PresenceHeaders.NONE, null, true, 0);
    }
    presence.read(
        new Entry(OWN, 1, 0, false), new PresenceHeaders(1, null, List.of(OWN)), null, true, 0);
    presence.attached();
    for (Read answer : answers) {
      presence.read(answer.entry(), PresenceHeaders.NONE, answer.page(), true, 0);
    }
    if (!presence.isComplete() || presence.sum().members() != members) {
      throw new IllegalStateException("known: " + presence.sum());
    }
    return presence;
  }
}
