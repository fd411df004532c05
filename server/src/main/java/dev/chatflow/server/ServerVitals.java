package dev.chatflow.server;

import dev.chatflow.log.amqp.ClusterStatistics;
import dev.chatflow.server.edge.EdgeConfig;
import dev.chatflow.server.meter.Meters;
import dev.chatflow.server.meter.Parts;
import dev.chatflow.server.publish.Vitals;
import dev.chatflow.support.Answer;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects the state and figures of a server on request. Thread-safe. */
final class ServerVitals implements Vitals {

  private final String serverId;
  private final EdgeConfig edge;
  private final BuildInfo build;
  private final Readiness readiness;
  private final Meters meters;
  private final Parts parts;
  private final Supplier<List<ClusterStatistics.Observed>> observed;
  private final long startedNanos = System.nanoTime();

  /**
   * Creates it.
   *
   * @param edge access rules
   * @param observed returns the statistics of all servers, including this one
   */
  ServerVitals(
      String serverId,
      EdgeConfig edge,
      BuildInfo build,
      Readiness readiness,
      Meters meters,
      Parts parts,
      Supplier<List<ClusterStatistics.Observed>> observed) {
    this.observed = observed;
    this.edge = edge;
    this.serverId = serverId;
    this.build = build;
    this.readiness = readiness;
    this.meters = meters;
    this.parts = parts;
  }

  @Override
  public Health health() {
    return new Health(
        readiness.status(),
        serverId,
        build.version(),
        build.revision(),
        parts.sinks().name(),
        edge.access().isOpen() ? "none" : "token",
        edge.rules().userIds().toString(),
        edge.rules().maxText(),
        uptimeSeconds(),
        parts.connections().size(),
        parts.occupiedRoomCount(),
        readiness.broker(),
        readiness.trouble());
  }

  private long uptimeSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
  }

  @Override
  public @Nullable String unready() {
    return readiness.unready();
  }

  @Override
  public Stats stats() {
    return new Stats(
        serverId,
        uptimeSeconds(),
        parts.connections().size(),
        parts.connections().paused(),
        parts.occupiedRoomCount(),
        parts.memberCount(),
        meters.messagesIn(),
        meters.messagesPublished(),
        meters.messagesConsumed(),
        parts.fanOut().deliveries(),
        meters.refusedByCode(),
        meters.duplicatesDropped(),
        meters.gaps(),
        meters.writesTimedOut() + parts.slowClosed(),
        parts.publisher().lanes());
  }

  @Override
  public Overview overview() {
    return new Overview(
        health(),
        unready(),
        stats(),
        marks(),
        meters.rejectedConnections(),
        meters.slowClosed(),
        Meters.bucketMillis(),
        meters.hops(),
        parts
            .occupiedRooms()
            .map(room -> new RoomHere(room.id().value(), room.memberCount()))
            .sorted(
                Comparator.comparingInt(RoomHere::members)
                    .reversed()
                    .thenComparing(RoomHere::roomId))
            .limit(Overview.MOST_ROOMS)
            .toList(),
        others());
  }

  private Marks marks() {
    return new Marks(
        parts.connections().limit(),
        parts.logBytes(),
        (long) meters.sum("chatflow.reader.unacked"),
        meters.sum("chatflow.clock.behind.seconds"),
        (long) meters.sum("chatflow.access.failures"),
        (long) meters.sum("process.files.open"),
        (long) meters.sum("process.files.max"));
  }

  private List<Other> others() {
    return observed.get().stream()
        .filter(each -> !each.serverId().equals(serverId))
        .map(each ->
            new Other(
                each.serverId(),
                each.agoMillis(),
                each.statistics().connections(),
                each.statistics().rooms(),
                each.statistics().messagesPerSecond(),
                each.statistics().lagMillis(),
                each.statistics().version()))
        .toList();
  }

  /** Returns the values for the status line. */
  StatusLine.Snapshot snapshot() {
    return new StatusLine.Snapshot(health(), stats(), parts.logBytes());
  }

  @Override
  public Answer metrics(@Nullable String accept) {
    return meters.scrape(accept);
  }
}
