package dev.chatflow.lab.attack;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Attacks packaged servers and prints a line for each attack. Exit status 0 if all failed, 1 if one
 * succeeded, 2 on wrong usage.
 */
@Command(
    name = "./chatflow attack",
    description = {
      "Runs known attacks against packaged test servers; without names, all of them.%n"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0: all attacks failed", "1: an attack succeeded", "2: wrong usage"})
public final class AttackRun implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "ATTACK", description = "attacks listed by --list")
  private List<String> names = new ArrayList<>();

  @Option(names = "--list", description = "list the attacks with their descriptions")
  private boolean list;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "this text")
  @SuppressWarnings("unused") // read by picocli
  private boolean help;

  private AttackRun() {}

  /** Runs the attacks in the arguments and exits with the status. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new AttackRun());
  }

  @Override
  public Integer call() throws Exception {
    names.forEach(this::check);
    if (list) {
      Attacks.ALL.forEach(each -> out().printf("%-20s %s%n", each.name(), each.does()));
      return 0;
    }
    return attackAll() == 0 ? 0 : 1;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private void check(String name) {
    if (Attacks.ALL.stream().noneMatch(attack -> attack.name().equals(name))) {
      throw new ParameterException(spec.commandLine(), "unknown attack " + name + ": see --list");
    }
  }

  /** Runs the attacks and returns the number that succeeded. */
  private int attackAll() throws Exception {
    int successes = 0;
    try (Arena arena = new Arena()) {
      // stops the servers after Ctrl-C, too
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() ->
                  ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
      for (Attack attack : Attacks.ALL) {
        if (names.isEmpty() || names.contains(attack.name())) {
          successes += got(attack, arena).isEmpty() ? 0 : 1;
        }
      }
    }
    out().println(successes == 0 ? "all attacks failed" : successes + " attacks succeeded");
    return successes;
  }

  private String got(Attack attack, Arena arena) {
    String got;
    try {
      got = attack.script().on(arena);
    } catch (Exception e) { // the other attacks still run
      got = "the attack itself failed: " + e;
    }
    out().printf("%-6s %-20s %s%n", got.isEmpty() ? "held" : "GOT", attack.name(), got);
    return got;
  }
}
