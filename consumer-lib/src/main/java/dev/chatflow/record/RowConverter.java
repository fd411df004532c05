package dev.chatflow.record;

import dev.chatflow.log.EntryStore;
import dev.chatflow.log.LogPosition;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.Line;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Converts the entries of one shard's reader to rows, and hands them on entry by entry. */
final class RowConverter implements EntryStore {

  private final int shard;
  private final PendingRows waiting;
  private final IntToLongFunction entryBytes;
  private final InstantSource clock;
  private final RecordMeter meter;
  private final LongAdder bytes = new LongAdder();

  // Used only by the reader's thread.
  private List<Row> ofEntry = new ArrayList<>();

  /**
   * @param entryBytes returns the bytes that an entry takes in its log, given the size of its body
   */
  RowConverter(
      int shard,
      PendingRows waiting,
      IntToLongFunction entryBytes,
      InstantSource clock,
      RecordMeter meter) {
    this.shard = shard;
    this.waiting = waiting;
    this.entryBytes = entryBytes;
    this.clock = clock;
    this.meter = meter;
  }

  /** Returns the approximate number of log bytes read. Any thread may call. */
  long bytesRead() {
    return bytes.sum();
  }

  @Override
  public boolean hasSpace() {
    return waiting.hasSpace();
  }

  @Override
  public @Nullable String take(Line.Message line, LineVerdict verdict) {
    if (!line.type().isKept()) {
      return null;
    }
    switch (verdict) {
      case SHOWN -> ofEntry.add(Row.of(line, false));
      case REPEAT -> ofEntry.add(Row.of(line, true));
      case VOID, REFUSED -> {} // not shown; a client sends a void one again
    }
    return null;
  }

  @Override
  public void passed(LogPosition behind, int bodyBytes) {
    bytes.add(entryBytes.applyAsLong(bodyBytes));
    waiting.add(shard, ofEntry, behind);
    if (!ofEntry.isEmpty()) {
      ofEntry = new ArrayList<>();
    }
  }

  @Override
  public void entryDropped() {
    ofEntry = new ArrayList<>();
  }

  @Override
  public void gap(String why) {
    meter.gap();
    waiting.gap(shard, clock.millis(), why);
  }
}
