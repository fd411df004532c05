package dev.chatflow.log;

import dev.chatflow.broker.Lane;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges entries by their numbers in their lanes: which are copies, which are missing, and which
 * landed too late.
 *
 * <p>An entry is late if the number it names as read is not in its window, or is below the number
 * of a late entry with lines of its lane. Only the log decides, so all readers agree.
 *
 * <p>One thread. Remembers the positions of the window's numbers and the highest number of each
 * lane, for at most {@value #MAX_LANES} lanes; beyond that the least recently seen lane is dropped.
 */
final class EntryNumbers {

  static final int MAX_LANES = 4_096;

  private static final class Track {

    private final Map<Long, Long> positions = new HashMap<>();
    private long high;

    /** Whether the next number is known: the highest one was judged to be on time. */
    private boolean settled;

    private long highestLate;
    private long highestUndecided;
  }

  private record Landed(Track track, long number, long position) {}

  private final WindowPositions positions;
  private final Map<Lane, Track> tracks = new LinkedHashMap<>(16, 0.75f, true);
  private final ArrayDeque<Landed> landed = new ArrayDeque<>();

  EntryNumbers(WindowPositions positions) {
    this.positions = positions;
  }

  /**
   * Judges the current entry and remembers it.
   *
   * @param complete whether everything that decides was read
   * @param following whether a hole is a loss: earlier holes concern no member
   */
  EntryVerdict judge(Entry entry, boolean complete, boolean following) {
    forget();
    Track track = tracks.get(entry.lane());
    if (track == null) {
      track = begin(entry.lane());
    }
    if (entry.number() <= track.high) {
      return EntryVerdict.COPY;
    }
    boolean hole = track.high > 0 && entry.number() > track.high + 1;
    if (hole && following && (track.settled || isInWindow(entry, track))) {
      return EntryVerdict.LOSS;
    }
    boolean behindAHole = hole && !following && (!complete || track.settled);
    EntryVerdict verdict =
        behindAHole ? EntryVerdict.UNDECIDED : timeliness(entry, track, complete);
    if (verdict == EntryVerdict.UNDECIDED && following) {
      verdict =
          EntryVerdict
              .LATE; // it names a number before a hole, about which nothing more can be known
    }
    note(entry, track, verdict);
    return verdict;
  }

  /** Accepts that the missing numbers before this entry will not arrive. */
  void pass(Entry entry) {
    Track track = tracks.get(entry.lane());
    if (track != null) {
      track.high = Math.max(track.high, entry.number() - 1);
    }
  }

  private EntryVerdict timeliness(Entry entry, Track track, boolean complete) {
    if (entry.read() == 0) {
      return EntryVerdict.ON_TIME; // the lane had read nothing, so it accepts no lines yet
    }
    if (!isInWindow(entry, track)) {
      return mayBeEarlier(complete) ? EntryVerdict.UNDECIDED : EntryVerdict.LATE;
    }
    if (isBelowLate(entry, track)) {
      return EntryVerdict.LATE;
    }
    return isBelowUndecided(entry, track) ? EntryVerdict.UNDECIDED : EntryVerdict.ON_TIME;
  }

  /**
   * Returns whether the named entry is in the window. It is in the log only once, so everything
   * after it is known.
   */
  private static boolean isInWindow(Entry entry, Track track) {
    return track.positions.containsKey(entry.read());
  }

  private boolean mayBeEarlier(boolean complete) {
    return !complete && positions.isCutShort();
  }

  private static boolean isBelowLate(Entry entry, Track track) {
    return entry.read() < track.highestLate;
  }

  private static boolean isBelowUndecided(Entry entry, Track track) {
    return entry.read() < track.highestUndecided;
  }

  /**
   * Returns whether lateness passes on to later entries. A late beacon affects none, because lines
   * accepted before it may still be in order.
   */
  private static boolean handsLatenessOn(Entry entry) {
    return entry.hasLines();
  }

  private void note(Entry entry, Track track, EntryVerdict verdict) {
    track.high = entry.number();
    track.positions.put(entry.number(), positions.position());
    landed.add(new Landed(track, entry.number(), positions.position()));
    switch (verdict) {
      // A copy of an old entry without a read may be the first entry seen of a lane.
      case ON_TIME -> track.settled |= entry.read() > 0;
      case LATE -> track.highestLate = handsLatenessOn(entry) ? entry.number() : track.highestLate;
      case UNDECIDED -> track.highestUndecided = entry.number();
      case COPY, LOSS -> throw new IllegalArgumentException("must not be noted: " + verdict);
    }
  }

  private Track begin(Lane lane) {
    if (tracks.size() >= MAX_LANES) {
      Iterator<Track> oldest = tracks.values().iterator();
      oldest.next();
      oldest.remove();
    }
    Track track = new Track();
    tracks.put(lane, track);
    return track;
  }

  private void forget() {
    Landed oldest = landed.peek();
    while (oldest != null && oldest.position() < positions.start()) {
      oldest.track().positions.remove(oldest.number());
      landed.remove();
      oldest = landed.peek();
    }
  }

  /** Returns the highest number of a lane in the log, or 0. */
  long highest(Lane lane) {
    @Nullable Track track = tracks.get(lane);
    return track == null ? 0 : track.high;
  }
}
