package dev.chatflow.lab.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AttacksTest {

  private static final Path DOCUMENT = Path.of("../../docs/lab/security.md");

  @Test
  void documentListsEveryAttackInOrder() throws IOException {
    assertThat(Files.readAllLines(DOCUMENT).stream().filter(line -> line.startsWith("| `")))
        .filteredOn(line -> line.split("[|]", -1).length == 5)
        .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1).strip())
        .containsSequence(Attacks.ALL.stream().map(Attack::row).toList());
  }

  @Test
  void noTwoAttacksShareAName() {
    assertThat(Attacks.ALL.stream().map(Attack::name)).doesNotHaveDuplicates();
  }

  @Test
  void unknownAttackIsRejectedBeforeAnythingStarts() {
    assertThat(output(2, "no-such")).contains("unknown attack no-such: see --list");
    assertThat(output(0, "--list")).contains("half-requests").contains("admin port");
  }

  private static String output(int status, String... arguments) {
    StringWriter text = new StringWriter();
    CommandLine command = AttackRun.commandLine();
    command.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
    assertThat(command.execute(arguments)).as(text.toString()).isEqualTo(status);
    return text.toString();
  }
}
