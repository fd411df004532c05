package dev.chatflow.room;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures the work of rooms for the reader thread, except appending frames. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RoomsBenchmark {

  private static final int TICK_EVERY = 1_000;
  private static final Payload TEXT = payload("x".repeat(240));

  /** One room with idle members. */
  @State(Scope.Thread)
  public static class Crowd extends Scene {

    @Param({"10", "1000", "100000"})
    public int members;

    private long next;

    /** Joins all members. */
    @Setup
    public void fill() {
      for (int user = 0; user < members; user++) {
        join(0, Integer.toString(user), false);
      }
      settle();
    }
  }

  /** Many rooms of ten idle members. */
  @State(Scope.Thread)
  public static class Halls extends Scene {

    @Param({"1000", "100000"})
    public int idleRooms;

    /** Joins all members. */
    @Setup
    public void fill() {
      for (int room = 0; room < idleRooms; room++) {
        for (int user = 0; user < 10; user++) {
          join(room, Integer.toString(user), false);
        }
        if (room % TICK_EVERY == 0) {
          rooms.tick();
        }
      }
      settle();
    }
  }

  /** Rooms without local members. */
  @State(Scope.Thread)
  public static class Foreign extends Scene {

    @Param({"1000", "1000000"})
    public int foreignRooms;

    private int next;
  }

  /** Joins and leaves a large room, without notices to others. */
  @Benchmark
  public void enterAndLeave(Crowd crowd) {
    String user = "u" + crowd.next++;
    crowd.join(0, user, true);
    crowd.leave(user);
    if (crowd.next % TICK_EVERY == 0) {
      crowd.rooms.tick();
    }
  }

  /** Runs a tick in which nothing is due. */
  @Benchmark
  public void tick(Halls halls) {
    halls.rooms.tick();
  }

  /** Adds a text to the next of many rooms, which is kept for new members. */
  @Benchmark
  public void foreignText(Foreign foreign) {
    RoomId room = new RoomId("room" + foreign.next);
    foreign.rooms.show(room, new RoomEvent.Said(TEXT));
    foreign.next = (foreign.next + 1) % foreign.foreignRooms;
    if (foreign.next % TICK_EVERY == 0) {
      foreign.rooms.tick();
    }
  }

  /** The rooms of one reader thread of a server with four shards and default bounds. */
  @State(Scope.Thread)
  public static class Scene {

    private final FanOut fanOut = new FanOut(new FanOutConfig(1, 4_096, Duration.ofMillis(25)));
    protected final Rooms rooms =
        new Rooms(
            new RoomsConfig(4, 4 << 20, 32 << 20, 64 << 10, 256 << 10, Duration.ofSeconds(15)),
            fanOut);

    protected void join(int room, String user, boolean quiet) {
      RoomEvent.Newcomer newcomer = new RoomEvent.Newcomer(new Idle(user), Past.NONE);
      UserDevice who = new UserDevice(user, "");
      RoomEvent joined = new RoomEvent.Joined(who, user, quiet, payload("JOIN"), newcomer);
      rooms.show(new RoomId("room" + room), joined);
    }

    protected void leave(String user) {
      rooms.show(
          new RoomId("room0"),
          new RoomEvent.Left(new UserDevice(user, ""), user, true, payload("LEAVE")));
    }

    /** Waits until all members have everything. */
    protected void settle() {
      while (!rooms.areCaughtUp()) {
        fanOut.park(TimeUnit.MILLISECONDS.toNanos(10));
      }
      rooms.tick();
      rooms.tick();
    }

    /** Ends the writers. */
    @TearDown
    public void close() {
      fanOut.close();
    }
  }

  private static Payload payload(String text) {
    return new Payload(text.getBytes(UTF_8));
  }

  /** A connection whose socket accepts everything at once. */
  private static final class Idle extends PlainMember {

    Idle(String connectionId) {
      super(connectionId);
    }

    @Override
    public void write(LogRange range, Runnable done) {
      done.run();
    }
  }
}
