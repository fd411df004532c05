package dev.chatflow.server.vitals;

import dev.chatflow.http.Answer;
import dev.chatflow.http.Status;
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
   * @param sink how frames leave
   * @param auth {@code token}, or {@code none}: anybody may be anybody
   */
  record Health(
      Status status,
      String serverId,
      String version,
      String revision,
      String sink,
      String auth,
      String userIds,
      long uptimeSeconds,
      int connections,
      int rooms,
      Broker broker) {}

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

  Health health();

  /** Null when everything works, else what does not. */
  @Nullable String unready();

  Stats stats();

  /** All meters, in the format the Accept header asks for. */
  Answer metrics(@Nullable String accept);
}
