package dev.chatflow.server.chaos;

import dev.chatflow.broker.BrokerException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays fault scenarios one after another and prints a table; exit status 0 when all passed, 1 when
 * one did not, 2 on wrong usage.
 */
public final class Chaos {

  private static final String USAGE =
      """
      Usage: ./chatflow chaos [SCENARIO]... [OPTION]...

      Servers and load client as processes of their own, a real fault, and the client's verifier as judge.

        --broker    embedded (default), or a RabbitMQ node started for this
        --quick     those that belong to ./chatflow test
        --grace S   seconds a message may wait longer than the fault lasted (default 2; more where others
                    use the machine)
        --repeat N  plays each so often, with servers started anew
        --seed N    of all chance; the same seed plays the same
        --node PROGRAM
                    controls the RabbitMQ node instead of infra/rabbitmq/test-broker, with its verbs:
                    another release
        --list      names the scenarios

      Exit status: 0 all passed, 1 not all, 2 usage.
      """;

  private static final String TEST_BROKER = "../infra/rabbitmq/test-broker";

  private final List<String> names = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final PrintStream out;
  private boolean rabbit;
  private boolean quick;
  private boolean list;
  private int repeat = 1;
  private Duration grace = Duration.ofSeconds(2);
  private long seed = 20_261_121;
  private String node = TEST_BROKER;

  private Chaos(PrintStream out) {
    this.out = out;
  }

  /** Plays what the arguments name; without names all. */
  public static void main(String[] arguments) throws Exception {
    Chaos chaos = new Chaos(System.out);
    int status;
    try {
      status = chaos.parsed(List.of(arguments)) ? chaos.run() : 0;
    } catch (IllegalArgumentException e) {
      System.err.println("chatflow: " + e.getMessage() + " (see --help)");
      status = 2;
    }
    System.exit(status);
  }

  private boolean parsed(List<String> arguments) {
    var rest = arguments.iterator();
    while (rest.hasNext()) {
      String argument = rest.next();
      switch (argument) {
        case "-h", "--help" -> {
          out.print(USAGE);
          return false;
        }
        case "--quick" -> quick = true;
        case "--list" -> list = true;
        case "--grace" -> grace = Duration.ofSeconds(Long.parseLong(value(argument, rest)));
        case "--repeat" -> repeat = Integer.parseInt(value(argument, rest));
        case "--seed" -> seed = Long.parseLong(value(argument, rest));
        case "--node" -> node = value(argument, rest);
        case "--broker" -> rabbit = isRabbit(value(argument, rest));
        default -> names.add(known(argument));
      }
    }
    return true;
  }

  private static String value(String option, java.util.Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }

  private static boolean isRabbit(String broker) {
    return switch (broker) {
      case "embedded" -> false;
      case "rabbitmq" -> true;
      default ->
          throw new IllegalArgumentException(
              "--broker must be embedded or rabbitmq, found " + broker);
    };
  }

  private static String known(String name) {
    if (Scenarios.ALL.stream().noneMatch(scenario -> scenario.name().equals(name))) {
      throw new IllegalArgumentException("unknown scenario or option " + name);
    }
    return name;
  }

  private int run() throws Exception {
    if (list) {
      Scenarios.ALL.forEach(scenario -> out.println(scenario.name()));
      return 0;
    }
    try (FaultyBroker broker = broker()) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> endAll(broker)));
      out.println(Report.HEADER);
      for (Scenario scenario : Scenarios.ALL) {
        boolean meant =
            names.isEmpty() ? !quick || scenario.quick() : names.contains(scenario.name());
        if (meant && (broker.hasAlarm() || !scenario.needsAlarm())) {
          for (int i = 0; i < repeat; i++) {
            play(scenario, broker);
          }
        }
      }
      out.println();
      failures.forEach(out::println); // again: their servers' logs are long
      out.println("seed " + seed + (failures.isEmpty() ? ": all passed" : ": not all passed"));
      return failures.isEmpty() ? 0 : 1;
    }
  }

  /** Ctrl-C leaves nothing behind. */
  private static void endAll(FaultyBroker broker) {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    try {
      broker.kill();
    } catch (IOException | RuntimeException _) {
      // Gone already.
    }
  }

  private FaultyBroker broker() throws IOException, BrokerException {
    return rabbit
        ? RabbitNode.launch(node, directory().resolve("rabbitmq"))
        : EmbeddedNode.launch();
  }

  /** RabbitMQ may run as a user of its own. */
  private static Path directory() throws IOException {
    Path directory = Files.createTempDirectory("chatflow-chaos-broker-");
    Files.setPosixFilePermissions(
        directory, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
    return directory;
  }

  private void play(Scenario scenario, FaultyBroker broker) throws Exception {
    try (Stage stage = new Stage(broker, seed)) {
      try {
        Report report = scenario.play(stage, grace);
        out.println(report.row());
        if (!report.passed()) {
          failed(report.row() + "\n    " + String.join("\n    ", report.problems()), stage);
        }
      } catch (Exception e) { // of any script: the others still play
        e.printStackTrace(out);
        failed("| " + scenario.name() + " | " + broker.name() + " | **FAIL**: " + e, stage);
      }
    }
  }

  private void failed(String how, Stage stage) {
    failures.add(how);
    out.println(stage.logs());
    out.println(how);
  }
}
