package dev.chatflow.room;

/**
 * A boundary between two frames of a room log.
 *
 * <p>Position and frame count travel together, so the difference of two boundaries is exact in
 * bytes and in frames.
 *
 * @param position bytes appended before it since the room began
 * @param frames frames appended before it
 */
public record Boundary(long position, long frames) {

  public static final Boundary START = new Boundary(0, 0);

  /** Returns the boundary after one more frame. */
  Boundary afterFrame(int bytes) {
    return new Boundary(position + bytes, frames + 1);
  }

  public boolean isBefore(Boundary other) {
    return position < other.position;
  }

  /** Returns the smaller of both boundaries. */
  public Boundary atMost(Boundary other) {
    return other.isBefore(this) ? other : this;
  }
}
