package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.CommandFailure;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests option defaults from the environment and the user's file, and their recorded origins. */
final class DefaultsTest {
  private final Properties file = new Properties();

  private OptionDefaults defaults(Map<String, String> environment) {
    return new OptionDefaults(environment, file);
  }

  @Test
  void environmentWinsOverTheFileAndBothOverTheDefault() {
    file.setProperty("room-size", "4");
    file.setProperty("rooms", "3");
    var plan = Parsed.of(defaults(Map.of("CHATFLOW_CLIENT_ROOM_SIZE", "5")), "").options.run.plan();
    assertThat(plan.workload().rooms()).isEqualTo(3);
    assertThat(plan.workload().roomSize()).isEqualTo(5);
  }

  /** The number of threads has two long names: {@code --threads} and {@code --numThreads}. */
  @Test
  void everyLongNameOfAnOptionHasAnEnvironmentVariable() {
    for (String name : List.of("THREADS", "NUMTHREADS")) {
      var environment = Map.of("CHATFLOW_CLIENT_" + name, "3");
      assertThat(Parsed.of(defaults(environment), "").options.run.plan().connecting().threads())
          .as(name)
          .isEqualTo(3);
    }
    file.setProperty("threads", "4");
    assertThat(Parsed.of(defaults(Map.of()), "").options.run.plan().connecting().threads())
        .isEqualTo(4);
  }

  @Test
  void environmentCannotRequestHelp() {
    var parsed = Parsed.of(defaults(Map.of("CHATFLOW_CLIENT_HELP", "true")), "");
    assertThat(parsed.result.isUsageHelpRequested()).isFalse();
  }

  @Test
  void originOfEachOptionIsRecorded() {
    file.setProperty("rooms", "3");
    Parsed parsed =
        Parsed.of(defaults(Map.of("CHATFLOW_CLIENT_CONNECT_RATE", "100")), "--room-size 4");
    assertThat(Origins.of(parsed.result))
        .contains(
            "--rooms=3 (environment or file)",
            "--connect-rate=100.0 (environment or file)",
            "--room-size=4 (cli)",
            "--retries=5 (default)");
  }

  @Test
  void secretsAreNotRecordedInOrigins() {
    Parsed parsed =
        Parsed.of("--token abc -H X-Key:abc --broker amqp://me:abc@mq ws://you:abc@host/chat");
    assertThat(Origins.of(parsed.result))
        .noneMatch(line -> line.contains("abc"))
        .anyMatch(line -> line.startsWith("--broker=amqp://me:***@mq"));
  }

  @Test
  void commandLineIsRecordedWithoutSecrets() {
    assertThat(
            Origins.withoutSecrets(
                List.of(
                    "--token",
                    "abc",
                    "--token=abc",
                    "-H",
                    "K: abc",
                    "-HK:abc",
                    "--header=K:abc",
                    "ws://me:abc@host/chat",
                    "-r",
                    "3")))
        .containsExactly(
            "--token",
            "***",
            "--token=***",
            "-H",
            "***",
            "-H***",
            "--header=***",
            "ws://me:***@host/chat",
            "-r",
            "3");
  }

  @Test
  void misspelledVariableOrPropertyIsRejectedWithSuggestions() {
    refused(
        Map.of("CHATFLOW_CLIENT_ROMS", "3"),
        "CHATFLOW_CLIENT_ROMS is not an option of the client; did you mean CHATFLOW_CLIENT_ROOMS or"
            + " CHATFLOW_CLIENT_ROOM_SIZE?");
    refused(
        Map.of("CHATFLOW_CLIENT_QQQQQQQQ", "3"),
        "CHATFLOW_CLIENT_QQQQQQQQ is not an option of the client");
    file.setProperty("room-sise", "3");
    refused(
        Map.of(),
        "the properties file has an unknown option: room-sise; did you mean rooms or"
            + " room-size?");
  }

  private void refused(Map<String, String> environment, String why) {
    CommandLine line = new CommandLine(new Parsed.Options());
    line.addSubcommand("run", Values.accepted(new CommandLine(new Parsed.Options())));
    assertThatThrownBy(() -> defaults(environment).requireKnown(line))
        .isInstanceOf(CommandFailure.class)
        .hasMessage(why);
  }

  @Test
  void otherVariablesAndKnownOptionsAreAccepted() {
    CommandLine line = new CommandLine(new Parsed.Options());
    line.addSubcommand("run", Values.accepted(new CommandLine(new Parsed.Options())));
    file.setProperty("room-size", "3");
    defaults(Map.of("PATH", "/bin", "CHATFLOW_MAX_CONNECTIONS", "5", "CHATFLOW_CLIENT_OUT", "none"))
        .requireKnown(line);
  }

  @Test
  void helpGroupsOptionsUnderHeadings() {
    CommandLine line = new CommandLine(new Parsed.Options());
    CommandLine run = new CommandLine(new Parsed.Options());
    line.addSubcommand("run", run);
    OptionHelp.install(line);
    String help = run.getUsageMessage();
    List<String> headings =
        help.lines()
            .filter(text -> text.endsWith(":") && Character.isUpperCase(text.charAt(0)))
            .toList();
    assertThat(headings)
        .containsExactly(
            "Servers:",
            "Workload:",
            "Load model:",
            "Connections:",
            "Disturbance:",
            "Verdict:",
            "Observation:",
            "Output:");
    assertThat(help).doesNotContain("--numSkiers", "--load-test");
    Stream.of("--room-size", "--stages", "--pool-size", "--churn", "--slo", "--broker", "--apdex")
        .forEach(option -> assertThat(help).contains(option));
  }
}
