package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Generates the reference of all options from the options themselves, and compares it with the
 * page. {@code -Dchatflow.reference.write=true} updates the page.
 */
final class ReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "load-options.md");

  /** Options that read files or need a start time. ArgumentsIT, TlsIT and PartsIT test them. */
  private static final Set<String> TESTED_ELSEWHERE = Set.of("--again", "--cacert", "--part");

  private final Terminal terminal = new Terminal();

  static List<String> examples() throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/reference/examples.txt"));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsAccepted(String example) {
    List<String> words = words(example);
    if (words.stream().anyMatch(TESTED_ELSEWHERE::contains)) {
      return;
    }
    if (words.getFirst().equals("run")) {
      List<String> dry = new ArrayList<>(words);
      if (!dry.contains("--dry-run")) {
        dry.add("--dry-run");
      }
      assertThat(terminal.run(dry.toArray(String[]::new))).as(terminal.err()).isZero();
    } else {
      new Terminal().commands().parseArgs(words.toArray(String[]::new));
    }
  }

  @Test
  void pageMatchesTheOptions() throws IOException {
    String page = page();
    if (Boolean.getBoolean("chatflow.reference.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  private String page() throws IOException {
    Map<String, CommandLine> commands = terminal.commands().getSubcommands();
    StringBuilder text =
        new StringBuilder(
            """
            # Options of the load client

            Every option once, with an example. [Load-test recipes](../how-to/load-test.md) show how to use them. An option can also be given by the environment variable next to it, or by a line such as `room-size=50` in `~/.chatflow-client.properties`. The command line wins over the environment, and the environment over the file. `find-max`, `sweep`, `smoke` and `probe` take those options of `run` that apply to them: see `./chatflow load find-max --help`. `./chatflow chat` is a program of its own on the [Java library](libraries.md#java): see `./chatflow chat --help`.

            Numbers may end in `k` or `m` (thousand, million), times in `us`, `ms`, `s`, `m` or `h`. `./chatflow load` is `java -jar chatflow-client.jar run`.
            """);
    Set<String> documented = new HashSet<>();
    for (String name :
        List.of(
            "run",
            "find-max",
            "sweep",
            "compare",
            "report",
            "report merge",
            "smoke",
            "probe",
            "token")) {
      CommandLine command = command(commands, name);
      text.append("\n## ").append(name).append('\n').append(description(command)).append('\n');
      OptionHelp.groups(command.getCommandSpec())
          .forEach((heading, options) -> {
            List<String> rows =
                options.stream()
                    .filter(each -> isNew(documented, name, each))
                    .map(each -> row(name, each))
                    .toList();
            if (!rows.isEmpty()) {
              text.append(name.equals("run") ? "\n### " + heading + "\n" : "\n");
              text.append("| option | environment | meaning | example |\n|---|---|---|---|\n");
              rows.forEach(text::append);
            }
          });
    }
    text.append("\n## Exit status\n| status | meaning |\n|---|---|\n");
    ExitCode.list()
        .forEach((code, meaning) ->
            text.append("| ").append(code).append(" | ").append(meaning).append(" |\n"));
    return text.toString();
  }

  private static CommandLine command(Map<String, CommandLine> commands, String name) {
    String[] words = name.split(" ", 2);
    CommandLine first = commands.get(words[0]);
    assertThat(first).as(name).isNotNull();
    CommandLine command = words.length == 1 ? first : first.getSubcommands().get(words[1]);
    assertThat(command).as(name).isNotNull();
    return command;
  }

  private static String description(CommandLine command) {
    String text = String.join(" ", command.getCommandSpec().usageMessage().description());
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
  }

  /**
   * Whether the option is listed here. Options that several commands share are listed only once.
   */
  private static boolean isNew(Set<String> documented, String command, OptionSpec option) {
    if (option.usageHelp() || option.versionHelp()) {
      return false;
    }
    Object home = option.userObject();
    return documented.add(String.valueOf(home)) || command.equals("run");
  }

  private static String row(String command, OptionSpec option) {
    String label = option.arity().max() == 0 ? "" : " " + cell(option.paramLabel());
    String variables =
        String.join(
            ", ",
            OptionDefaults.longNames(option).stream()
                .map(name -> "`" + OptionDefaults.twinOf(name) + "`")
                .toList());
    String meaning = String.join(" ", option.description());
    String preset = option.defaultValue();
    return "| `%s%s` | %s | %s | `%s` |%n"
        .formatted(
            String.join("`, `", option.names()),
            label,
            variables,
            cell(meaning.replace("${DEFAULT-VALUE}", preset == null ? "" : preset))
                .replace("<", "&lt;"),
            cell(example(command, option)))
        .replace(System.lineSeparator(), "\n");
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String example(String command, OptionSpec option) {
    try {
      return examples().stream()
          .filter(line -> line.startsWith(command + " "))
          .filter(line ->
              words(line).contains(option.longestName())
                  || Arrays.stream(option.names()).anyMatch(words(line)::contains))
          .findFirst()
          .orElseThrow(
              () -> new AssertionError("no example of " + command + " " + option.longestName()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Splits at spaces outside double quotes. */
  private static List<String> words(String example) {
    List<String> words = new ArrayList<>();
    for (String part : example.split(" (?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", -1)) {
      words.add(part.replace("\"", ""));
    }
    return words;
  }
}
