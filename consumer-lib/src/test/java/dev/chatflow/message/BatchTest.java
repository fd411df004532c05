package dev.chatflow.message;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.room.RoomId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchTest {

  private static final RoomId A = new RoomId("a");
  private static final RoomId B = new RoomId("b");

  private final Batch batch = new Batch();

  @Test
  void emptyBatchHasAnEmptyBodyAndNoRoom() {
    assertThat(batch.size()).isZero();
    assertThat(batch.body()).isEmpty();
    assertThat(batch.onlyRoom()).isNull();
  }

  @Test
  void oneLineIsTheWholeBody() {
    batch.add(A, line("one"));
    assertThat(batch.body()).asString(US_ASCII).isEqualTo("one");
    assertThat(batch.onlyRoom()).isEqualTo(A);
  }

  @Test
  void linesAreSeparatedByNewlinesInOrder() {
    batch.add(A, line("one"));
    batch.add(A, line("two"));
    batch.add(A, line("three"));
    assertThat(batch.body()).asString(US_ASCII).isEqualTo("one\ntwo\nthree");
    assertThat(batch.size()).isEqualTo(3);
    assertThat(batch.onlyRoom()).isEqualTo(A);
  }

  @ParameterizedTest
  @CsvSource({"a a b", "a b b", "a b a", "b a a"})
  void batchOfSeveralRoomsHasNoOnlyRoom(String rooms) {
    for (String room : rooms.split(" ", -1)) {
      batch.add(room.equals("a") ? A : B, line(room));
    }
    assertThat(batch.onlyRoom()).isNull();
  }

  @Test
  void fiveHundredLinesFitAndNoMore() {
    for (int i = 0; i < Batch.MAX_MESSAGES; i++) {
      assertThat(batch.fits(line("x"))).isTrue();
      batch.add(A, line("x"));
    }
    assertThat(batch.fits(line("x"))).isFalse();
    assertThatThrownBy(() -> batch.add(A, line("x"))).isInstanceOf(IllegalStateException.class);
    assertThat(batch.size()).isEqualTo(Batch.MAX_MESSAGES);
  }

  @Test
  void newlinesCountAmongTheBytes() {
    batch.add(A, new byte[Batch.MAX_BYTES - 10]);
    assertThat(batch.fits(new byte[10])).isFalse();
    assertThat(batch.fits(new byte[9])).isTrue();
    batch.add(A, new byte[9]);
    assertThat(batch.body()).hasSize(Batch.MAX_BYTES);
    assertThat(batch.fits(new byte[0])).isFalse();
  }

  @Test
  void lineAboveTheBoundFitsNoBatch() {
    assertThat(batch.fits(new byte[Batch.MAX_BYTES])).isTrue();
    assertThat(batch.fits(new byte[Batch.MAX_BYTES + 1])).isFalse();
  }

  @Test
  void bodyIsACopy() {
    batch.add(A, line("one"));
    batch.body()[0] = 'X';
    assertThat(batch.body()).asString(US_ASCII).isEqualTo("one");
  }

  @ParameterizedTest
  @CsvSource({
    "'', ''",
    "one, one",
    "one|two, one+two",
    "one|two|, one+two",
    "|one||two, one+two",
    "'one\r|two\r|', 'one\r+two\r'",
    "' |\t|\r|one', one"
  })
  void linesAreFoundAndBlankOnesPassedOver(String body, String lines) {
    byte[] bytes = line(body.replace('|', '\n'));
    List<String> found = new ArrayList<>();
    Batch.forEachLine(bytes, (from, to) -> found.add(new String(bytes, from, to - from, US_ASCII)));
    assertThat(String.join("+", found)).isEqualTo(lines);
  }

  private static byte[] line(String text) {
    return text.getBytes(US_ASCII);
  }
}
