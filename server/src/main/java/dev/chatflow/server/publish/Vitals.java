package dev.chatflow.server.publish;

import dev.chatflow.support.Answer;
import dev.chatflow.support.Status;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server tells about itself. Any thread may ask; no answer waits. */
public interface Vitals {

  /**
   * The states of the broker connections and of the circuit, by the names of their enums.
   *
   * @param publisher OPEN, RECOVERING, BLOCKED, CLOSED or OPENING
   * @param consumer the same
   * @param circuit CLOSED, OPEN or HALF_OPEN
   */
  record Broker(String publisher, String consumer, String circuit) {}

  /**
   * What {@code /health} answers.
   *
   * @param version of the program; absent for strangers, as is {@code revision}
   * @param sink how frames leave
   * @param auth {@code token}, or {@code none}: anybody may be anybody
   * @param trouble why the server is not UP; absent when it is
   */
  record Health(
      Status status,
      String serverId,
      @Nullable String version,
      @Nullable String revision,
      String sink,
      String auth,
      String userIds,
      long uptimeSeconds,
      int connections,
      int rooms,
      Broker broker,
      @Nullable String trouble) {

    /** For strangers: without the version, which would tell them which holes to try. */
    public Health forStrangers() {
      return new Health(
          status,
          serverId,
          null,
          null,
          sink,
          auth,
          userIds,
          uptimeSeconds,
          connections,
          rooms,
          broker,
          trouble);
    }
  }

  /** What {@code /api/stats} answers; counts since start. */
  record Stats(
      String serverId,
      long uptimeSeconds,
      int connections,
      int paused,
      int rooms,
      int members,
      long messagesIn,
      long messagesPublished,
      long messagesConsumed,
      long deliveries,
      Map<String, Long> refused,
      long duplicatesDropped,
      long gaps,
      long slowClosed,
      List<Lane> lanes) {}

  /** One publish lane: messages waiting, flights sent. */
  record Lane(int shard, int waiting, long flights) {}

  /**
   * A part of a message's way, timed since the start.
   *
   * @param count how often
   * @param seconds in all
   * @param within how often it took at most as long as each of the overview's {@code bucketMillis}
   */
  record Hop(String name, long count, double seconds, List<Long> within) {}

  /** A room with members on this server, and how many. */
  record RoomHere(String roomId, int members) {}

  /**
   * Another server, by its last statistics.
   *
   * @param agoMillis since it was sent
   * @param lagMillis of its own entries, from publish to hand-off
   */
  record Other(
      String serverId,
      long agoMillis,
      int connections,
      int rooms,
      int messagesPerSecond,
      int lagMillis,
      String version) {}

  /**
   * Present values, and a count.
   *
   * @param connectionsLimit that are let in at most
   * @param logBytes of room logs
   * @param unacked entries of logs that are not acknowledged
   * @param clockBehindSeconds by how much another server's wall clock was ahead
   * @param accessFailures readings of keys or denied users that failed, since the start
   */
  record Marks(
      int connectionsLimit,
      long logBytes,
      long unacked,
      double clockBehindSeconds,
      long accessFailures,
      long filesOpen,
      long filesMost) {}

  /**
   * What {@code /overview} answers.
   *
   * @param unready why not everything works; absent when it does
   * @param notLetIn connections, by reason, since the start
   * @param slow members closed for falling behind, by reason, since the start
   * @param rooms those with the most members, at most {@value #MOST_ROOMS}
   */
  record Overview(
      Health health,
      @Nullable String unready,
      Stats stats,
      Marks marks,
      Map<String, Long> notLetIn,
      Map<String, Long> slow,
      List<Double> bucketMillis,
      List<Hop> hops,
      List<RoomHere> rooms,
      List<Other> others) {

    /** The most rooms that are named. */
    public static final int MOST_ROOMS = 100;
  }

  Health health();

  /** Null when everything works, else what does not. */
  @Nullable String unready();

  Stats stats();

  /** All that an operator looks at, in one answer. */
  Overview overview();

  /** All meters, in the format the Accept header asks for. */
  Answer metrics(@Nullable String accept);
}
