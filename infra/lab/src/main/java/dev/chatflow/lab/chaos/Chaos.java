package dev.chatflow.lab.chaos;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.broker.Topology;
import dev.chatflow.lab.broker.EmbeddedNode;
import dev.chatflow.lab.broker.FaultyBroker;
import dev.chatflow.lab.broker.RabbitCluster;
import dev.chatflow.lab.broker.RabbitNode;
import dev.chatflow.lab.node.FaultOutlasted;
import dev.chatflow.lab.node.Lacking;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs fault scenarios one after another and prints a table. Exit status 0 if all passed, 1 if one
 * failed, 2 on wrong usage.
 */
@Command(
    name = "./chatflow chaos",
    description = {
      "Runs fault scenarios; without names all of them.",
      "Servers and load client are separate processes, faults are real, and the client's"
          + " verification decides.%n"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0: all passed", "1: a scenario failed", "2: wrong usage"})
public final class Chaos implements Callable<Integer> {

  /** The broker of the scenarios. */
  enum Broker {
    EMBEDDED,
    RABBITMQ;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** All fault scenarios in display order, by group. */
  static final List<Scenario> SCENARIOS =
      Stream.of(
              BrokerFaults.ALL,
              ServerFaults.ALL,
              NetworkFaults.ALL,
              PeerFaults.ALL,
              TokenFaults.ALL,
              ModerationFaults.ALL,
              LogFaults.ALL,
              ClockFaults.ALL,
              ClusterFaults.ALL,
              RandomFaults.ALL)
          .flatMap(List::stream)
          .toList();

  private static final int MOST_STRETCH = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String TEST_BROKER = "../infra/rabbitmq/test-broker";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SCENARIO", description = "scenarios listed by --list")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--broker",
      description =
          "${COMPLETION-CANDIDATES}: in this process, or a node started for this"
              + " (default ${DEFAULT-VALUE})")
  private Broker kind = Broker.EMBEDDED;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "RabbitMQ nodes; 3 runs the cluster scenarios, as root [default: ${DEFAULT-VALUE}]")
  private int nodes = 1;

  @Option(names = "--quick", description = "run the scenarios of ./chatflow test --all")
  private boolean quick;

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      description =
          "maximum delay of a message beyond the fault; use more on a busy machine [default:"
              + " ${DEFAULT-VALUE}]")
  private long graceSeconds = 2;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "number of runs of each scenario, with new servers")
  private int repeat = 1;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "seed of all randomness; equal seeds give equal runs [default:" + " ${DEFAULT-VALUE}]")
  private long seed = 20_261_121;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "length of the scenario random [default: ${DEFAULT-VALUE}]")
  private int minutes = 3;

  @Option(
      names = "--node",
      paramLabel = "PROGRAM",
      description =
          "program that controls RabbitMQ instead of infra/rabbitmq/test-broker, with the same"
              + " verbs, such as for another release")
  private String node = TEST_BROKER;

  @Option(names = "--list", description = "list the scenarios with their descriptions")
  private boolean list;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "this text")
  @SuppressWarnings("unused") // read by picocli
  private boolean help;

  private final List<String> failures = new ArrayList<>();

  private Chaos() {}

  /** Runs the scenarios in the arguments and exits with the status. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Chaos()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  @Override
  public Integer call() throws Exception {
    if (nodes != 1 && (nodes != RabbitCluster.NODES || kind == Broker.EMBEDDED)) {
      throw wrong("--nodes must be 1, or with --broker rabbitmq " + RabbitCluster.NODES);
    }
    names.forEach(this::check);
    if (list) {
      SCENARIOS.forEach(each -> out().printf("%-20s %s%n", each.name(), each.happens()));
      return 0;
    }
    return playAll() ? 0 : 1;
  }

  /** Rejects a name that cannot be run. */
  private void check(String name) {
    Scenario named =
        SCENARIOS.stream()
            .filter(scenario -> scenario.name().equals(name))
            .findFirst()
            .orElseThrow(() -> wrong("unknown scenario " + name + ": see --list"));
    if (named.needs() == Scenario.Needs.ANY) {
      return;
    }
    boolean isCluster = named.needs() == Scenario.Needs.CLUSTER;
    boolean isRabbit =
        named.needs() == Scenario.Needs.RABBITMQ || named.needs() == Scenario.Needs.ANY_RABBITMQ;
    if (isRabbit && kind == Broker.EMBEDDED) {
      throw wrong(name + " needs a broker that can be killed: --broker rabbitmq");
    }
    if (named.needs() == Scenario.Needs.ANY_RABBITMQ) {
      return;
    }
    if (isCluster != (nodes > 1)) {
      throw wrong(
          isCluster
              ? name + " needs several nodes: --broker rabbitmq --nodes " + RabbitCluster.NODES
              : name + " needs a single broker: omit --nodes");
    }
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private boolean playAll() throws Exception {
    try (FaultyBroker broker = broker()) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> endAll(broker)));
      out().println(Report.HEADER);
      for (Scenario scenario : SCENARIOS) {
        if (isMeant(scenario) && scenario.isFor(broker)) {
          for (int i = 0; i < repeat; i++) {
            play(scenario, broker, 1);
          }
        }
      }
      out().println();
      failures.forEach(out()::println); // repeated, because server logs are long
      out().println("seed " + seed + (failures.isEmpty() ? ": all passed" : ": a scenario failed"));
      return failures.isEmpty();
    }
  }

  private boolean isMeant(Scenario scenario) {
    if (!names.isEmpty()) {
      return names.contains(scenario.name());
    }
    boolean fits = nodes == 1 || scenario.needs() == Scenario.Needs.CLUSTER;
    return !quick || (scenario.isQuick() && fits); // one broker each is enough in a check run
  }

  /** Ends all processes, also after Ctrl-C. */
  private static void endAll(FaultyBroker broker) {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    try {
      broker.kill();
    } catch (IOException | RuntimeException _) {
      // already ended
    }
  }

  private FaultyBroker broker() throws IOException, BrokerException {
    if (kind == Broker.EMBEDDED) {
      return EmbeddedNode.launch();
    }
    Path directory = Files.createTempDirectory("chatflow-chaos-broker-");
    // RabbitMQ may run as another user
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path brokerDirectory = directory.resolve("rabbitmq");
    return nodes == 1
        ? RabbitNode.launch(node, brokerDirectory)
        : RabbitCluster.launch(node, brokerDirectory);
  }

  /**
   * Runs a scenario, again with twice the load if the fault outlasted the load on a busy machine.
   */
  private void play(Scenario scenario, FaultyBroker broker, int stretch) throws Exception {
    if (broker instanceof RabbitNode) {
      deleteLogs(broker); // embedded logs are short, and those of a cluster are declared only once
    }
    boolean isTooShort = false;
    try (Stage stage = new Stage(broker, stretch, terms())) {
      try {
        Report report = scenario.play(stage);
        out().println(report.row());
        if (!report.passed()) {
          failed(report.row() + "\n    " + String.join("\n    ", report.problems()), stage);
        }
      } catch (Lacking e) {
        out().println("SKIPPED " + scenario.name() + ": " + e.getMessage());
      } catch (Exception e) { // the other scenarios still run
        isTooShort = e instanceof FaultOutlasted && stretch < MOST_STRETCH;
        if (!isTooShort) {
          e.printStackTrace(out());
          failed("| " + scenario.name() + " | " + broker.name() + " | **FAIL**: " + e, stage);
        }
      }
    }
    if (isTooShort) {
      out()
          .println(scenario.name() + ": the fault outlasted the load, repeating with a longer one");
      play(scenario, broker, 2 * stretch);
    }
  }

  /** Deletes the logs of earlier scenarios, which each new server would read back for seconds. */
  private static void deleteLogs(FaultyBroker broker) {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> {
          for (int shard = 0; shard < Shard.DEFAULT_COUNT; shard++) {
            String log = Topology.log(new Shard(shard));
            broker.onChannel(channel -> channel.queueDelete(log));
          }
          return true;
        });
  }

  private Stage.Terms terms() {
    return new Stage.Terms(
        seed, Duration.ofSeconds(graceSeconds), Duration.ofMinutes(minutes), out()::println);
  }

  private void failed(String how, Stage stage) {
    failures.add(how);
    out().println(stage.logs());
    out().println(how);
  }
}
