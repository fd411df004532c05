package dev.chatflow.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ChaosTest {

  private static final Path DOCUMENT = Path.of("../../docs/lab/reliability.md");

  @Test
  void documentListsEveryScenarioInOrder() throws IOException {
    assertThat(Files.readAllLines(DOCUMENT).stream().filter(line -> line.startsWith("| `")))
        .filteredOn(line -> line.split("[|]", -1).length == 5)
        .containsSequence(Chaos.SCENARIOS.stream().map(Scenario::row).toList());
  }

  @Test
  void noTwoScenariosShareAName() {
    assertThat(Chaos.SCENARIOS.stream().map(Scenario::name)).doesNotHaveDuplicates();
  }

  @Test
  void unknownScenarioIsRejectedBeforeAnythingStarts() {
    assertThat(output(2, "no-such")).contains("unknown scenario no-such: see --list");
    assertThat(output(2, "broker-kill")).contains("--broker rabbitmq");
    assertThat(output(2, "node-kill", "--broker", "rabbitmq"))
        .contains("needs several nodes: --broker rabbitmq --nodes 3");
    assertThat(output(2, "broker-kill", "--broker", "rabbitmq", "--nodes", "3"))
        .contains("needs a single broker");
    assertThat(output(2, "--nodes", "3")).contains("with --broker rabbitmq 3");
    assertThat(output(0, "--list")).contains("rolling-restart").contains("SIGTERM");
  }

  private static String output(int status, String... arguments) {
    StringWriter text = new StringWriter();
    CommandLine command = Chaos.commandLine();
    command.setOut(new PrintWriter(text)).setErr(new PrintWriter(text));
    assertThat(command.execute(arguments)).as(text.toString()).isEqualTo(status);
    return text.toString();
  }
}
