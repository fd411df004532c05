package dev.chatflow.client.plan;

import java.util.List;

/**
 * A named workload, whose settings single options override.
 *
 * @param messages TEXT messages of each user
 * @param total total messages of all types; 0 if {@code messages} determines them
 * @param closed whether each user has one message in flight
 * @param threadsAreUsers whether the option for load threads counts concurrent users
 */
public record Preset(
    String label,
    int rooms,
    int roomSize,
    int messages,
    long total,
    Warmup warmup,
    Mix mix,
    boolean closed,
    boolean threadsAreUsers) {

  /** Presets that differ only in size; the first is the default. */
  public static final List<Preset> SIZES =
      List.of(
          size("500k", 20, 50, 500),
          size("1m", 10, 100, 1000),
          size("1.5m", 20, 100, 750),
          size("2m", 20, 100, 1000),
          size("2.5m", 20, 125, 1000),
          size("endurance", 20, 50, 4680),
          size("endurance-2x", 20, 50, 9360));

  private static Preset size(String label, int rooms, int roomSize, int messages) {
    return new Preset(
        label, rooms, roomSize, messages, 0, Warmup.NONE, Mix.TEXTS_ONLY, false, false);
  }
}
