package dev.chatflow.client.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A named workload size: rooms, users per room, TEXT messages per user. */
public enum Preset {
  P500K("500k", 20, 50, 500),
  P1M("1m", 10, 100, 1000),
  P1_5M("1.5m", 20, 100, 750),
  P2M("2m", 20, 100, 1000),
  P2_5M("2.5m", 20, 125, 1000),
  ENDURANCE("endurance", 20, 50, 4680),
  ENDURANCE_2X("endurance-2x", 20, 50, 9360);

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

  private static String labels() {
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
}
