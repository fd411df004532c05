package dev.chatflow.record;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.start.StopSignals;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.ConfigKey;
import dev.chatflow.support.ConfigSource;
import dev.chatflow.support.UncaughtHandler;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The entry point of the standalone consumer: parses arguments and returns an exit status.
 *
 * <p>SIGTERM and SIGINT request a stop: everything that was read is recorded and acknowledged
 * first.
 */
@Command(
    name = "chatflow-consumer",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Records every message of the cluster in a database, without effect on the servers, and"
          + " answers queries over HTTP: history, counts of each room and sender, statistics.",
      ""
    },
    footer = {
      "",
      "SIGTERM or Ctrl-C: everything that was read is recorded, and the next start continues from there."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:stopped on request, or equal",
      "1:could not start",
      "2:usage or configuration",
      "4:not equal"
    })
public final class StandaloneMain implements Callable<Integer> {

  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private final PrintStream out;
  private final PrintStream err;
  private final ConsumerRun consumer;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--fresh",
      description =
          "start a new archive with messages from now on, without those in the logs; a"
              + " temporary archive always does")
  private boolean fresh;

  @Option(names = "--check", description = "check the configuration and exit")
  private boolean check;

  @Option(
      names = "--print-effective",
      description = "print every key with its effective value and exit")
  private boolean print;

  @Option(
      names = "--generate-config",
      description = "print every key with default, range and meaning, as a template for --config")
  private boolean generate;

  StandaloneMain(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
    this.consumer = new ConsumerRun(out);
  }

  /** Runs the program and exits. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT); // texts and addresses must not depend on the locale
    StandaloneMain main = new StandaloneMain(System.out, System.err);
    int status = FAILED;
    Thread.setDefaultUncaughtExceptionHandler(new UncaughtHandler());
    try {
      StopSignals.handle(main::requestStop);
      status = main.run(arguments);
    } catch (ReflectiveOperationException e) {
      System.err.println("chatflow: this JVM does not pass on signals (-Xrs?): " + e);
    }
    System.exit(status);
  }

  void requestStop() {
    consumer.requestStop();
  }

  /** Runs until done or stopped; returns the exit status. */
  int run(String... arguments) {
    CommandLine line = new CommandLine(this);
    String launcher = System.getProperty("launcher.command");
    if (launcher != null) {
      line.setCommandName(launcher + " consumer");
    }
    for (StandaloneKey key : StandaloneKey.values()) {
      line.getCommandSpec().addOption(option(key));
    }
    line.addSubcommand(new CompareCommand(out));
    line.addSubcommand(new QueryCommand(out));
    line.addSubcommand(new ForgetCommand(out));
    line.addSubcommand(new ShardsCommand(out));
    String version = "chatflow-consumer " + version();
    line.getCommandSpec().version(version);
    line.getSubcommands().values().forEach(sub -> sub.getCommandSpec().version(version));
    line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    line.setParameterExceptionHandler((wrong, _) -> {
      err.println("chatflow: " + wrong.getMessage() + " (see --help)");
      CommandLine.UnmatchedArgumentException.printSuggestions(
          wrong, wrong.getCommandLine().getErr());
      return USAGE;
    });
    line.setExecutionExceptionHandler((failure, _, _) -> {
      err.println("chatflow: " + failure.getMessage());
      return failure instanceof ConfigException ? USAGE : FAILED;
    });
    return line.execute(arguments);
  }

  private static OptionSpec option(StandaloneKey key) {
    return OptionSpec.builder(key.option())
        .paramLabel(key.label())
        .type(String.class)
        .description(
            key.meaning(),
            "(%s, %s%s)"
                .formatted(
                    key.environmentName(),
                    key.allowed().range(),
                    key.defaultText().isEmpty() ? "" : "; default " + key.defaultText()))
        .build();
  }

  @Override
  public Integer call() throws Exception {
    if (generate) {
      out.print(ConfigKey.template(List.of(StandaloneKey.values())));
      return DONE;
    }
    Map<String, String> given = given(spec);
    String broker = given.getOrDefault(StandaloneKey.AMQP_URI.environmentName(), "");
    if (BrokerConfig.holdsPassword(broker)) {
      err.println(BrokerConfig.PASSWORD_SHOWN);
    }
    StandaloneConfig config = StandaloneConfig.of(ConfigSource.ofProcess(given));
    if (check) {
      config.requireUsable();
      out.println("configuration ok");
    } else if (print) {
      out.print(config.effective().describe());
    } else {
      consumer.serve(config, fresh, version());
    }
    return DONE;
  }

  /** Returns the keys given as options. */
  private static Map<String, String> given(CommandSpec spec) {
    ParseResult parsed = spec.commandLine().getParseResult();
    Map<String, String> given = new HashMap<>();
    for (StandaloneKey key : StandaloneKey.values()) {
      if (parsed.hasMatchedOption(key.option())) {
        given.put(key.environmentName(), parsed.matchedOptionValue(key.option(), ""));
      }
    }
    return given;
  }

  private static String version() {
    String version = StandaloneMain.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }
}
