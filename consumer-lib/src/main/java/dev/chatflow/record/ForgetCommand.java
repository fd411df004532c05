package dev.chatflow.record;

import dev.chatflow.support.ConfigException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code forget} command: removes a user's name and texts from an archive. */
@Command(
    name = "forget",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description =
        "Removes a user's name and texts from an archive, even while a consumer writes it. Messages"
            + " are kept as removed, counts are kept. The broker's logs still contain recent messages.")
final class ForgetCommand implements Callable<Integer> {

  private final PrintStream out;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description = "sqlite:PATH or jdbc:postgresql://... (CHATFLOW_CONSUMER_STORE)")
  private String store = "";

  @Option(names = "--user", required = true, paramLabel = "ID", description = "the user's id")
  private String user = "";

  ForgetCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public Integer call() throws ConfigException, StoreException {
    try (Store record = StandaloneConfig.record(store)) {
      long messages = record.forget(user);
      out.printf("user %s is forgotten: %,d messages%n", user, messages);
    }
    return StandaloneMain.DONE;
  }
}
