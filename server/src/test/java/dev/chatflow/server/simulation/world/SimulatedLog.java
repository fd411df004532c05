package dev.chatflow.server.simulation.world;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Entry;
import dev.chatflow.log.WindowBounds;
import dev.chatflow.server.publish.LaneEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The log of one shard at the broker: a stream, in which entries of the segments take offsets too,
 * or a ring, which has no offsets and overwrites its oldest entries.
 *
 * <p>A position is an index of the list, which overwriting does not change.
 */
public final class SimulatedLog {

  static final WindowBounds STREAM = new WindowBounds(40, 20_000);
  static final WindowBounds RING = new WindowBounds(40, 4_000);
  static final long RING_BYTES = 16_000;
  static final int RING_ENTRIES = 160;

  private static final int SEGMENT = 25;

  /** An entry with its offset. */
  public record Stored(long offset, LaneEntry entry, Entry headers) {}

  private record Name(Lane lane, long number) {
    static Name of(LaneEntry entry) {
      return new Name(entry.lane(), entry.number());
    }
  }

  private final boolean ring;
  private final List<Stored> entries = new ArrayList<>();
  private final Map<Name, Integer> firstPositions = new HashMap<>();
  private final Set<Name> holes = new HashSet<>();
  private long nextOffset;
  private long bytes;
  private int oldest;

  SimulatedLog(boolean ring) {
    this.ring = ring;
  }

  public boolean isRing() {
    return ring;
  }

  public WindowBounds window() {
    return ring ? RING : STREAM;
  }

  void append(LaneEntry entry) {
    if (entries.size() % SEGMENT == SEGMENT - 1) {
      nextOffset++; // a segment's own entry
    }
    Entry headers = new Entry(entry.lane(), entry.number(), entry.read(), !entry.isBeacon());
    Name name = Name.of(entry);
    firstPositions.putIfAbsent(name, entries.size());
    entries.add(new Stored(nextOffset++, entry, headers));
    bytes += entry.body().length;
    while (ring && (bytes > RING_BYTES || entries.size() - oldest > RING_ENTRIES)) {
      bytes -= entries.get(oldest++).entry().body().length;
    }
  }

  /** Removes the end of the log, from this position on; its offsets are used again. */
  List<Stored> cut(int position) {
    List<Stored> tail = entries.subList(position, entries.size());
    List<Stored> lost = List.copyOf(tail);
    nextOffset = position == 0 ? 0 : entries.get(position - 1).offset() + 1;
    for (int i = 0; i < lost.size(); i++) {
      Name name = Name.of(lost.get(i).entry());
      if (firstPositions.remove(name, position + i)) {
        holes.add(name);
      }
    }
    tail.clear();
    return lost;
  }

  public int size() {
    return entries.size();
  }

  public Stored get(int position) {
    return entries.get(position);
  }

  /** Returns the oldest position that can be read. */
  int oldest() {
    return oldest;
  }

  /** Returns whether a ring has overwritten nothing yet. */
  public boolean isWhole() {
    return oldest == 0;
  }

  /**
   * Returns whether entries are missing, or come after later ones of their lane because they were
   * published again.
   */
  boolean hasHoles() {
    return !holes.isEmpty();
  }

  /** Returns the first position of an entry, or -1. */
  int positionOf(Entry entry) {
    return positionOf(entry.lane(), entry.number());
  }

  /** Returns the first position of the entry with this number, or -1. */
  int positionOf(Lane lane, long number) {
    return firstPositions.getOrDefault(new Name(lane, number), -1);
  }

  /** Returns the first position whose offset is not below this. */
  int positionOf(long offset) {
    int from = 0;
    int to = entries.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (entries.get(middle).offset() < offset) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
