package dev.chatflow.room;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * One appender, one writer and one thread that closes the reader, on a log of three segments of
 * eight bytes: everything that is read, and everything in flight until its end, equals what was
 * appended.
 */
public class RoomLogLincheckTest {

  private final SegmentPool pool = new SegmentPool(24, 8);
  private final RoomLog log = new RoomLog(pool, 24);
  private final Cursor cursor = new Cursor(Boundary.START, this::isClosed);
  private volatile boolean closed;
  private int appended;

  /** Releases segments that the reader does not need, then appends. */
  @Operation(nonParallelGroup = "appender")
  public String append() {
    while (closed && cursor.isClaimed() && cursor.inFlight() == null) {
      Thread.onSpinWait(); // a claim about to be dropped, or a range being prepared
    }
    log.release(Math.min(log.tail().position(), cursor.pinned()));
    String text = "#" + appended;
    RoomLog.Full full = log.append(new Payload(text.getBytes(US_ASCII)));
    appended += full == RoomLog.Full.NO ? 1 : 0;
    return full.name();
  }

  /** Starts a write or ends the one in flight; returns the texts of its range, read each time. */
  @Operation(nonParallelGroup = "writer")
  public List<String> write() {
    LogRange inFlight = cursor.inFlight();
    if (inFlight != null) {
      List<String> texts = texts(inFlight);
      cursor.advance(inFlight);
      return texts;
    }
    Boundary tail = log.tail();
    if (!cursor.position().isBefore(tail) || !cursor.claim()) {
      return List.of();
    }
    LogRange range = log.range(cursor.position(), tail);
    cursor.start(range);
    return texts(range);
  }

  @Operation(runOnce = true)
  public void close() {
    closed = true;
  }

  private boolean isClosed() {
    return closed;
  }

  private static List<String> texts(LogRange range) {
    List<String> texts = new ArrayList<>();
    range.forEachText(texts::add);
    return texts;
  }

  /** The check lincheck of {@code ./chatflow test --all} runs more of both. */
  private static final int SCENARIOS = Integer.getInteger("lincheck.scenarios", 8);

  private static final int INVOCATIONS = Integer.getInteger("lincheck.invocations", 100);

  @Test
  void isLinearizable() {
    new ModelCheckingOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(INVOCATIONS)
        .actorsBefore(2)
        .threads(3)
        .actorsPerThread(2)
        .actorsAfter(2)
        .check(getClass());
  }
}
