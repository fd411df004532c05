package dev.chatflow.room;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The index of the newest frames of a room log: boundary and name hash, 16 bytes per frame.
 *
 * <p>Used only by the appender. It has one element per frame of the log's past, so its bound
 * follows from the log's: a broadcast has at least 180 bytes.
 */
final class Tail {

  private static final int FIRST_FRAMES = 16;

  // A ring: frame n of the room is at n mod length. All lengths are powers of two.
  private long[] names = {};
  private long[] positions = {};
  private long first;
  private long end;

  boolean isEmpty() {
    return first == end;
  }

  /** Adds an appended frame. */
  void add(long name, Boundary at) {
    if (isEmpty()) {
      first = at.frames();
    }
    if (at.frames() - first == names.length) {
      grow();
    }
    names[slot(at.frames())] = name;
    positions[slot(at.frames())] = at.position();
    end = at.frames() + 1;
  }

  private void grow() {
    int length = Math.max(FIRST_FRAMES, 2 * names.length);
    long[] moreNames = new long[length];
    long[] morePositions = new long[length];
    for (long frame = first; frame < first + names.length; frame++) {
      moreNames[(int) frame & length - 1] = names[slot(frame)];
      morePositions[(int) frame & length - 1] = positions[slot(frame)];
    }
    names = moreNames;
    positions = morePositions;
  }

  private int slot(long frame) {
    return (int) frame & names.length - 1;
  }

  private Boundary at(long frame) {
    return new Boundary(positions[slot(frame)], frame);
  }

  /** Removes the frames that begin before a position. */
  void dropBefore(long position) {
    while (first < end && positions[slot(first)] < position) {
      first++;
    }
    if (isEmpty()) {
      names = new long[0];
      positions = new long[0];
    }
  }

  void clear() {
    dropBefore(Long.MAX_VALUE);
  }

  /** Returns where the oldest frame begins, or {@link Cursor#NOTHING}. */
  long position() {
    return isEmpty() ? Cursor.NOTHING : positions[slot(first)];
  }

  /** Returns where the frame after one of these begins. */
  Boundary after(Boundary at, Boundary tail) {
    long next = at.frames() + 1;
    return next < end ? at(next) : tail;
  }

  /**
   * Returns where the frame with this name begins.
   *
   * @param isIt tested with each frame whose hash matches
   * @return null if there is none, or more than one
   */
  @Nullable Boundary find(long name, Predicate<Boundary> isIt) {
    Boundary found = null;
    for (long frame = end - 1; frame >= first; frame--) {
      if (names[slot(frame)] == name && isIt.test(at(frame))) {
        if (found != null) {
          return null;
        }
        found = at(frame);
      }
    }
    return found;
  }

  /**
   * Returns where the last frames before {@code limit} begin: at most this many, and none from
   * before a position; the limit if there are none.
   */
  Boundary last(int frames, Boundary limit, long from) {
    long frame = Math.min(limit.frames(), end);
    if (frame < limit.frames() || isEmpty()) {
      return limit;
    }
    while (frame > first && limit.frames() - frame < frames && positions[slot(frame - 1)] >= from) {
      frame--;
    }
    return frame == limit.frames() ? limit : at(frame);
  }
}
