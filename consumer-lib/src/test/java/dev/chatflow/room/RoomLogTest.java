package dev.chatflow.room;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoomLogTest {

  private static final int SEGMENT = 64;

  private final SegmentPool pool = new SegmentPool(16 * SEGMENT, SEGMENT);
  private final RoomLog log = new RoomLog(pool, 4 * SEGMENT);

  @Test
  void frameIsFinalUnmaskedText() {
    append("hello");

    assertThat(bytes(all())).containsExactly(0x81, 5, 'h', 'e', 'l', 'l', 'o');
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 127, 255, 256, 65_535, 65_536, 70_000})
  void lengthIsWrittenInSevenSixteenOrSixtyFourBits(int length) {
    String text = "x".repeat(length);
    LogRange range = LogRanges.of(text, "next");

    ByteBuffer bytes = ByteBuffer.wrap(bytes(range));
    assertThat(bytes.get()).isEqualTo((byte) 0x81);
    int code = bytes.get();
    int read = code == 126 ? bytes.getChar() : code == 127 ? (int) bytes.getLong() : code;
    assertThat(read).isEqualTo(length);
    assertThat(texts(range)).containsExactly(text, "next");
  }

  @Test
  void textIsDecodedAsUtf8() {
    append("größer € 😀");

    assertThat(texts(all())).containsExactly("größer € 😀");
  }

  @Test
  void payloadIsAPartOfItsArray() {
    log.append(new Payload("--hello--".getBytes(UTF_8), 2, 5, 0));

    assertThat(texts(all())).containsExactly("hello");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 64})
  void headersAndTextsMaySpanSegments(int segmentBytes) {
    String[] texts = {"a", "", "x".repeat(200), "größer", "y".repeat(500), "end"};

    LogRange range = LogRanges.of(segmentBytes, texts);

    assertThat(texts(range)).containsExactly(texts);
    assertThat(range.frames()).isEqualTo(6);
    assertThat(range.bytes()).isEqualTo(bytes(range).length);
  }

  @Test
  void longestHeaderMaySpanSegments() {
    int segmentBytes = 8192;
    String[] texts = {"x".repeat(segmentBytes - 4 - 5), "y".repeat(70_000), "end"};

    assertThat(texts(LogRanges.of(segmentBytes, texts))).containsExactly(texts);
  }

  @Test
  void rangeEndsAtTheFirstFrameOfTheNextSegment() {
    append("a".repeat(40));
    append("b".repeat(40));
    append("c".repeat(40));

    LogRange first = log.range(Boundary.START, log.tail());
    LogRange second = log.range(first.to(), log.tail());

    assertThat(texts(first)).containsExactly("a".repeat(40), "b".repeat(40));
    assertThat(first.frames()).isEqualTo(2);
    assertThat(texts(second)).containsExactly("c".repeat(40));
    assertThat(second.frames()).isEqualTo(1);
  }

  @Test
  void frameLongerThanASegmentIsNotCut() {
    append("a".repeat(150));
    append("b");

    LogRange range = log.range(Boundary.START, log.tail());

    assertThat(texts(range)).containsExactly("a".repeat(150));
  }

  @Test
  void rangeEndsAtItsLimit() {
    append("a");
    Boundary limit = log.tail();
    append("b");

    assertThat(texts(log.range(Boundary.START, limit))).containsExactly("a");
  }

  @Test
  void buffersMayBeConsumedWithoutHarm() {
    append("hello");
    LogRange range = all();

    for (ByteBuffer buffer : range.buffers()) {
      buffer.position(buffer.limit());
    }

    assertThat(texts(range)).containsExactly("hello");
    assertThat(bytes(range)).hasSize(7);
  }

  @Test
  void idleLogHoldsNoSegmentAndGoesOnInTheMiddleOfOne() {
    assertThat(log.heldBytes()).isZero();
    append("one");
    Boundary between = log.tail();
    assertThat(pool.usedBytes()).isEqualTo(SEGMENT);

    assertThat(log.release(between.position())).isTrue();
    assertThat(pool.usedBytes()).isZero();
    append("two");

    assertThat(texts(log.range(between, log.tail()))).containsExactly("two");
    assertThat(log.tail().frames()).isEqualTo(2);
  }

  @Test
  void segmentIsKeptWhileOneOfItsBytesIsNeeded() {
    append("a".repeat(SEGMENT - 2));
    append("b");

    assertThat(log.release(SEGMENT - 1)).isFalse();
    assertThat(log.release(SEGMENT)).isTrue();
    assertThat(log.heldBytes()).isEqualTo(SEGMENT);
  }

  @Test
  void logThatEndsWithASegmentIsReleasedWhole() {
    append("a".repeat(SEGMENT - 2));

    assertThat(log.release(SEGMENT)).isTrue();
    append("b");

    assertThat(texts(log.range(new Boundary(SEGMENT, 1), log.tail()))).containsExactly("b");
    assertThat(log.heldBytes()).isEqualTo(SEGMENT);
  }

  @Test
  void fullLogTakesNothing() {
    for (int i = 0; i < 4; i++) {
      append("a".repeat(SEGMENT - 2));
    }
    Boundary tail = log.tail();

    assertThat(log.append(payload("b"))).isEqualTo(RoomLog.Full.LOG);
    assertThat(log.tail()).isEqualTo(tail);

    log.release(SEGMENT);
    assertThat(log.append(payload("b"))).isEqualTo(RoomLog.Full.NO);
  }

  @Test
  void usedUpShareDiffersFromAFullLog() {
    RoomLog other = new RoomLog(new SegmentPool(2 * SEGMENT, SEGMENT), 4 * SEGMENT);
    other.append(payload("a".repeat(100)));

    assertThat(other.append(payload("b".repeat(100)))).isEqualTo(RoomLog.Full.SHARE);
    assertThat(other.tail().frames()).isEqualTo(1);
  }

  @Test
  void frameLongerThanTheLogIsRefused() {
    assertThatThrownBy(() -> log.append(payload("a".repeat(3 * SEGMENT))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void segmentsAreReused() {
    for (int i = 0; i < 100; i++) {
      append("text " + i);
      assertThat(texts(log.range(new Boundary(log.tail().position() - length(i), i), log.tail())))
          .containsExactly("text " + i);
      log.release(log.tail().position());
    }

    assertThat(pool.available()).isEqualTo(16 * SEGMENT);
  }

  private static int length(int i) {
    return 2 + ("text " + i).length();
  }

  @Test
  void spoiledSegmentIsNeverUsedAgain() {
    append("in flight");
    LogRange lost = all();
    lost.spoil();
    log.release(log.tail().position());

    for (int i = 0; i < 200; i++) {
      append("other bytes");
      log.release(log.tail().position());
    }

    assertThat(texts(lost)).containsExactly("in flight");
    assertThat(pool.available()).isEqualTo(16 * SEGMENT);
  }

  @Test
  void segmentThatIsNotHeldIsNotRead() {
    append("a");
    log.release(log.tail().position());

    assertThatThrownBy(() -> log.range(Boundary.START, log.tail()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void boundsAreChecked() {
    assertThatThrownBy(() -> new RoomLog(pool, SEGMENT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SegmentPool(1000, 100))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SegmentPool(0, SEGMENT).take(SEGMENT, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  private void append(String text) {
    assertThat(log.append(payload(text))).isEqualTo(RoomLog.Full.NO);
  }

  private LogRange all() {
    return log.uncut(Boundary.START, log.tail());
  }

  private static Payload payload(String text) {
    return new Payload(text.getBytes(UTF_8));
  }

  static List<String> texts(LogRange range) {
    List<String> texts = new ArrayList<>();
    range.forEachText(texts::add);
    return texts;
  }

  static byte[] bytes(LogRange range) {
    byte[] bytes = new byte[range.bytes()];
    int at = 0;
    for (ByteBuffer buffer : range.buffers()) {
      int length = buffer.remaining();
      buffer.get(bytes, at, length);
      at += length;
    }
    return bytes;
  }
}
