package dev.chatflow.server.publish;

import dev.chatflow.support.Answer;
import dev.chatflow.support.Status;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state and figures of a server for operators and balancers. Thread-safe; no call waits. */
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
   * The response of {@code /health}.
   *
   * @param version of the program; absent for clients without a token, as is {@code revision}
   * @param sink how frames are sent
   * @param auth {@code token}, or {@code none}: every client may use any user id
   * @param maxText maximum characters of a text
   * @param trouble why the server is not UP; absent if it is
   */
  record Health(
      Status status,
      String serverId,
      @Nullable String version,
      @Nullable String revision,
      String sink,
      String auth,
      String userIds,
      int maxText,
      long uptimeSeconds,
      int connections,
      int rooms,
      Broker broker,
      @Nullable String trouble) {

    /**
     * Returns it without the version, which would show known vulnerabilities to clients without a
     * token.
     */
    public Health forStrangers() {
      return new Health(
          status,
          serverId,
          null,
          null,
          sink,
          auth,
          userIds,
          maxText,
          uptimeSeconds,
          connections,
          rooms,
          broker,
          trouble);
    }
  }

  /** The response of {@code /api/stats}; counts since start. */
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
   * A stage of a message's path, timed since the start.
   *
   * @param count number of measurements
   * @param seconds their sum
   * @param within number of measurements up to each of the overview's {@code bucketMillis}
   */
  record Hop(String name, long count, double seconds, List<Long> within) {}

  /** A room with members on this server, and their number. */
  record RoomHere(String roomId, int members) {}

  /**
   * Another server, by its latest statistics.
   *
   * @param agoMillis age of the statistics
   * @param lagMillis of its entries of this server, from publish to hand-off
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
   * Current values, and one count.
   *
   * @param connectionsLimit maximum connections
   * @param logBytes bytes of room logs
   * @param unacked unacknowledged entries of shard logs
   * @param clockBehindSeconds by how much another server's wall clock was ahead
   * @param accessFailures failed readings of keys or denied users since the start
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
   * The response of {@code /overview}.
   *
   * @param unready why not everything works; absent if it does
   * @param rejectedConnections rejected connections by reason, since the start
   * @param slow members closed for falling behind by reason, since the start
   * @param rooms the rooms with the most members, at most {@value #MOST_ROOMS}
   */
  record Overview(
      Health health,
      @Nullable String unready,
      Stats stats,
      Marks marks,
      Map<String, Long> rejectedConnections,
      Map<String, Long> slow,
      List<Double> bucketMillis,
      List<Hop> hops,
      List<RoomHere> rooms,
      List<Other> others) {

    /** Maximum number of rooms listed. */
    public static final int MOST_ROOMS = 100;
  }

  Health health();

  /** Returns null if everything works, else the problem. */
  @Nullable String unready();

  Stats stats();

  /** Returns all values for operators in one response. */
  Overview overview();

  /** Returns all meters, in the format of the Accept header. */
  Answer metrics(@Nullable String accept);
}
