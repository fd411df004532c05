package dev.chatflow.room;

import java.nio.charset.StandardCharsets;

/** Ranges of a room log, as sinks get them. Stateless. */
public final class LogRanges {

  private LogRanges() {}

  /** Returns a range with one frame per text, in segments like those of a server. */
  public static LogRange of(String... texts) {
    return of(SegmentPool.SEGMENT_BYTES, texts);
  }

  /**
   * Returns a range with one frame per text.
   *
   * @param segmentBytes a power of two: the smaller, the more frames span segments
   */
  public static LogRange of(int segmentBytes, String... texts) {
    SegmentPool pool = new SegmentPool(4 << 20, segmentBytes);
    RoomLog log = new RoomLog(pool, 4 << 20);
    for (String text : texts) {
      if (log.append(new Payload(text.getBytes(StandardCharsets.UTF_8))) != RoomLog.Full.NO) {
        throw new IllegalArgumentException("longer than 4 MiB");
      }
    }
    return log.uncut(Boundary.START, log.tail());
  }
}
