package dev.chatflow.room;

/** Rooms with logs of small segments, so that few frames fill one. */
public final class SmallRooms {

  private static final int SEGMENT_BYTES = 4 << 10;

  private SmallRooms() {}

  public static Rooms of(RoomsConfig config, FanOut fanOut) {
    return new Rooms(config, fanOut, new SegmentPool(config.totalLogBytes(), SEGMENT_BYTES));
  }
}
