package dev.chatflow.client.plan;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A named workload: rooms, users per room, TEXT messages per user, and what else belongs to it. */
public enum Preset {
  P500K("500k", 20, 50, 500),
  P1M("1m", 10, 100, 1000),
  P1_5M("1.5m", 20, 100, 750),
  P2M("2m", 20, 100, 1000),
  P2_5M("2.5m", 20, 125, 1000),
  ENDURANCE("endurance", 20, 50, 4680),
  ENDURANCE_2X("endurance-2x", 20, 50, 9360),
  /** 32 users warm up; then 500,000 messages of all types, one in flight per user. */
  WARMUP_A1("warmup-a1", 20, 28, 0),
  /** Three phases of concurrent users that send one request after the other over HTTP. */
  SKIER("skier-3phase", 20, 0, 0);

  public static final int SKIERS = 20_000;
  public static final int RUNS = 10;

  private final String label;
  private final int rooms;
  private final int roomSize;
  private final int messages;

  Preset(String label, int rooms, int roomSize, int messages) {
    this.label = label;
    this.rooms = rooms;
    this.roomSize = roomSize;
    this.messages = messages;
  }

  public static Preset of(String label) {
    return Arrays.stream(values())
        .filter(preset -> preset.label.equals(label.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () -> new InvalidPlan("--preset must be one of " + labels() + ", found " + label));
  }

  public static String labels() {
    return Arrays.stream(values()).map(Preset::label).collect(Collectors.joining(", "));
  }

  public String label() {
    return label;
  }

  public int rooms() {
    return rooms;
  }

  public int roomSize() {
    return roomSize;
  }

  public int messages() {
    return messages;
  }

  /** Messages of all types in all; 0 when {@link #messages} of each user decide. */
  public long total() {
    return this == WARMUP_A1 ? 500_000 : 0;
  }

  public Warmup warmup() {
    return this == WARMUP_A1 ? new Warmup(Duration.ZERO, 32, 1_000) : Warmup.NONE;
  }

  public Mix mix() {
    return this == WARMUP_A1 ? new Mix(90, 5, 5) : Mix.TEXTS_ONLY;
  }

  /** Whether each user has one message in flight unless options say otherwise. */
  public boolean isClosed() {
    return this == WARMUP_A1 || this == SKIER;
  }

  /** Whether the option for load threads means concurrent users, as in the seed. */
  public boolean isThreadsOfUsers() {
    return isClosed();
  }

  /**
   * The three phases of the fourth seed for t concurrent users, with its integer divisions: of ten
   * runs over all ids the phases have two, six and one.
   */
  public static List<Wave> skierWaves(int t, int skiers, int runs) {
    InvalidPlan.requireRange("--threads", t, 10, 1024);
    InvalidPlan.requireRange("--numSkiers", skiers, 1, 100_000);
    InvalidPlan.requireRange("--numRuns", runs, 1, 20);
    int first = t / 4;
    return Stream.of(
            new Wave("ONE", first, runs * 2 / 10 * (skiers / first)),
            new Wave("TWO", t, runs * 6 / 10 * (skiers / t)),
            new Wave("THREE", t / 10, runs / 10))
        .filter(wave -> wave.textsEach() > 0)
        .toList();
  }
}
