package dev.chatflow.log.amqp;

import dev.chatflow.log.ServerStatistics;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The latest statistics of each server whose entries this process reads, including itself. At most
 * {@value #MOST} servers: beyond that the least recently observed one is dropped and counted.
 *
 * <p>Age is measured in cluster time of the entries, because reading back delivers old ones: the
 * distance to the newest entry read, plus the time since then. Thread-safe.
 */
public final class ClusterStatistics {

  static final int MOST = 256;

  private static final long REMEMBERED_MILLIS = TimeUnit.MINUTES.toMillis(2);

  /** The latest statistics of a server, and their age. */
  public record Observed(String serverId, ServerStatistics statistics, long agoMillis) {}

  private record Sent(ServerStatistics statistics, long builtMillis) {}

  // Guarded by this; least recently observed first.
  private final Map<String, Sent> servers = new LinkedHashMap<>(16, 0.75f, true);
  private long newestMillis;
  private long newestNanos;
  private long forgotten;

  /**
   * Notes the statistics of an entry.
   *
   * @param header its {@code x-statistics}, or null
   * @param builtMillis cluster time at which it was built
   */
  void read(String serverId, @Nullable Object header, long builtMillis, long nowNanos) {
    ServerStatistics statistics = header == null ? null : ServerStatistics.parse(header.toString());
    if (statistics != null) {
      note(serverId, new Sent(statistics, builtMillis), nowNanos);
    }
  }

  private synchronized void note(String serverId, Sent sent, long nowNanos) {
    if (sent.builtMillis > newestMillis) {
      newestMillis = sent.builtMillis;
      newestNanos = nowNanos;
    }
    Sent known = servers.get(serverId);
    if (known == null || known.builtMillis < sent.builtMillis) {
      servers.put(serverId, sent);
    }
    if (servers.size() > MOST) {
      servers.remove(servers.keySet().iterator().next());
      forgotten++;
    }
  }

  /** Returns the statistics of the last two minutes, by server name. */
  public synchronized List<Observed> observed(long nowNanos) {
    long now = newestMillis + TimeUnit.NANOSECONDS.toMillis(nowNanos - newestNanos);
    return servers.entrySet().stream()
        .map(each ->
            new Observed(
                each.getKey(), each.getValue().statistics(), now - each.getValue().builtMillis()))
        .filter(each -> each.agoMillis() <= REMEMBERED_MILLIS)
        .sorted(Comparator.comparing(Observed::serverId))
        .toList();
  }

  /** Returns how many servers were dropped because the limit was reached. */
  public synchronized long forgotten() {
    return forgotten;
  }
}
