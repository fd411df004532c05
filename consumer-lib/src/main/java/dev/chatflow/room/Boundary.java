package dev.chatflow.room;

/**
 * A place between two frames of a room log.
 *
 * <p>Position and count travel together, so that a difference of two boundaries is exact in bytes
 * and in frames.
 *
 * @param position bytes appended before it, since the room began
 * @param frames frames appended before it
 */
public record Boundary(long position, long frames) {

  public static final Boundary START = new Boundary(0, 0);

  /** The boundary behind one more frame. */
  Boundary afterFrame(int bytes) {
    return new Boundary(position + bytes, frames + 1);
  }

  public boolean isBefore(Boundary other) {
    return position < other.position;
  }

  /** The smaller of both. */
  public Boundary atMost(Boundary other) {
    return other.isBefore(this) ? other : this;
  }
}
