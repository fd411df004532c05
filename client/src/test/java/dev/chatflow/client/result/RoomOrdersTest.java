package dev.chatflow.client.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RoomOrdersTest {
  @TempDir private Path directory;

  @Test
  void partsAgreeIfTheirCommonMessagesHaveTheSameOrder() throws IOException {
    Findings findings = compared("1: a0@7 a1 b0@9 a2 b1 b2 a3 b3", "1: b0@9 a2 b1 b2 a3 b3 a4 b4");
    assertThat(findings.isClean(Set.of())).isTrue();
  }

  @Test
  void roomsAreMatchedIndependentOfTheirRows() throws IOException {
    assertThat(compared("1: a b|3: c d", "1: a b|2: x|3: c d").count(Defect.DIVERGENT)).isOne();
    assertThat(compared("1: a b|3: c d", "1: a b|3: c d").isClean(Set.of())).isTrue();
  }

  @Test
  void messageMissingInAPartIsLost() throws IOException {
    Findings findings = compared("1: a b c d e", "1: a c e");
    assertThat(findings.count(Defect.LOST)).isEqualTo(2);
    assertThat(findings.examples(Defect.LOST)).allMatch(example -> example.room() == 1);
    assertThat(findings.count(Defect.DIVERGENT)).isZero();
  }

  @Test
  void differentOrderIsDivergent() throws IOException {
    assertThat(compared("1: a b c d", "1: a c b d").count(Defect.DIVERGENT)).isOne();
  }

  @Test
  void messageTwiceInAPartIsADuplicate() throws IOException {
    assertThat(compared("1: a b b c", "1: a b c").count(Defect.DUPLICATE)).isOne();
  }

  @Test
  void partsWithoutCommonMessagesAreDivergent() throws IOException {
    assertThat(compared("1: a b", "1: c d").count(Defect.DIVERGENT)).isOne();
    assertThat(compared("1: a b", "").count(Defect.DIVERGENT)).isOne();
  }

  @Test
  void unconnectedPiecesOfAnOrderAreDivergent() throws IOException {
    Path whole = file("whole", "1: a b c");
    Path pieces =
        Files.writeString(
            directory.resolve("pieces"),
            """
            room,part,messageId,join
            1,0,a,0
            1,1,b,0
            1,1,c,0
            """);
    assertThat(RoomOrders.compared(List.of(whole, pieces)).count(Defect.DIVERGENT)).isOne();
  }

  @Test
  void everyPartIsComparedWithEveryOther() throws IOException {
    assertThat(compared("1: a b c", "1: a b c", "1: a c").count(Defect.LOST)).isEqualTo(2);
  }

  private Findings compared(String... parts) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String part : parts) {
      files.add(file("part-" + files.size(), part));
    }
    return RoomOrders.compared(files);
  }

  /**
   * Writes an order file. Rooms are separated by {@code |}; a number after {@code @} is the time of
   * a JOIN.
   */
  private Path file(String name, String rooms) throws IOException {
    String rows =
        Arrays.stream(rooms.split("\\|", -1))
            .filter(room -> !room.isEmpty())
            .flatMap(room -> {
              String[] sides = room.split(": ", 2);
              return Arrays.stream(sides[1].split(" ", -1)).map(each -> row(sides[0], each));
            })
            .collect(Collectors.joining());
    return Files.writeString(directory.resolve(name), "room,part,messageId,join\n" + rows);
  }

  private static String row(String room, String message) {
    String[] sides = message.split("@", 2);
    return room + ",0," + sides[0] + "," + (sides.length > 1 ? sides[1] : "0") + "\n";
  }
}
