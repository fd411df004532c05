package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.record.OrderComparison.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderComparisonTest {

  /** Messages as a load client wrote them: a JOIN due at 4660 us, two texts, a LEAVE. */
  private static final List<Recorded> SAID =
      List.of(
          said("JOIN", 0, "~ab120001000000000000003lgcxkuw1join of user 1."),
          said("TEXT", 1, "~ab120001000001000000004ghk90p3sthe boat leaves early today."),
          said("TEXT", 2, "~ab120001000002000000005bc3xgcrebring coffee, and a map!"),
          said("LEAVE", 3, "~ab12000100000300000000667ahymlfbye."));

  @TempDir Path directory;

  private final List<Recorded> recorded = new ArrayList<>(SAID);
  private Path file = Path.of("");

  @BeforeEach
  void membersSawThemInThisOrder() throws IOException {
    file =
        Files.writeString(
            directory.resolve("order.csv"),
            """
            room,part,messageId,join
            5,0,ab12-0001-000000,4660
            5,0,ab12-0001-000001,0
            5,0,ab12-0001-000002,0
            5,0,ab12-0001-000003,0
            """);
  }

  private static Recorded said(String type, int seq, String text) {
    return new Recorded(type, "ab12-0001-00000" + seq, text, false);
  }

  private List<String> compared() throws IOException {
    OrderComparison comparison =
        new OrderComparison("5", Objects.requireNonNull(SeenOrder.read(file).get("5")));
    recorded.forEach(comparison::next);
    assertThat(comparison.count()).isEqualTo(recorded.size());
    return comparison.end();
  }

  @Test
  void sameTextsInTheSameOrderAreEqual() throws IOException {
    assertThat(compared()).isEmpty();
  }

  @Test
  void messagesOfTheServerAreIgnored() throws IOException {
    recorded.add(2, new Recorded("LEAVE", "x", "", true));
    assertThat(compared()).isEmpty();
  }

  @Test
  void swappedMessagesAreReported() throws IOException {
    Collections.swap(recorded, 1, 2);
    assertThat(compared())
        .containsExactly(
            "room 5, message 3: ab12-0001-000001 is recorded after a message that members saw later");
  }

  @Test
  void changedTextIsReported() throws IOException {
    Recorded text = recorded.get(1);
    recorded.set(1, said("TEXT", 1, text.message().replace("boat", "goat")));
    recorded.set(2, said("TEXT", 2, "what no load client wrote"));
    assertThat(compared())
        .containsExactly(
            "room 5, message 2: ab12-0001-000001 has a different text than was sent",
            "room 5, message 3: ab12-0001-000002 has a different text than was sent");
  }

  @Test
  void textOfAnotherMessageIsReported() throws IOException {
    recorded.set(1, said("TEXT", 1, SAID.get(2).message()));
    assertThat(compared())
        .containsExactly("room 5, message 2: ab12-0001-000001 has a different text than was sent");
  }

  @Test
  void missingMessageIsReported() throws IOException {
    recorded.remove(2);
    assertThat(compared())
        .containsExactly("room 5, message 3: ab12-0001-000002 was seen but is not recorded");
  }

  @Test
  void repeatedAndMissingMessagesAreReported() throws IOException {
    recorded.add(SAID.get(3));
    recorded.add(said("TEXT", 4, "~ab120001000004000000006y0dcdvxibye."));
    assertThat(compared())
        .containsExactly(
            "room 5, message 5: ab12-0001-000003 is recorded twice, or no member saw it",
            "room 5, message 6: ab12-0001-000004 is recorded twice, or no member saw it");
  }

  @Test
  void partsOfUnknownOrderMayBeInAnyOrder() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.replaceAll(line -> line.replace("5,0,ab12-0001-000000", "5,1,ab12-0001-000000"));
    Files.write(file, lines);
    recorded.addLast(recorded.removeFirst());
    assertThat(compared()).isEmpty();
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Path none = directory.resolve("none.csv");
    assertThatThrownBy(() -> SeenOrder.read(none)).hasMessageContaining("file not found");
    Files.write(file, List.of("room,users"));
    assertThatThrownBy(() -> SeenOrder.read(file)).hasMessageContaining("not a file of orders");
    Files.write(file, Arrays.asList(SeenOrder.HEADER, "1,2"));
    assertThatThrownBy(() -> SeenOrder.read(file)).hasMessageContaining("1,2");
  }
}
