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
 * Attacks packaged servers and prints a line for each attack; exit status 0 when all got nothing, 1
 * when one got something, 2 on wrong usage.
 */
@Command(
    name = "./chatflow attack",
    description = {
      "Attacks packaged servers of its own and prints what it got; without names, with all attacks.%n"
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0: nothing was got", "1: an attack got something", "2: wrong usage"})
public final class AttackRun implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "ATTACK", description = "as --list names them")
  private List<String> names = new ArrayList<>();

  @Option(names = "--list", description = "names the attacks and tells what each does")
  private boolean list;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "this text")
  @SuppressWarnings("unused") // read by picocli
  private boolean help;

  private AttackRun() {}

  /** Attacks as the arguments say and ends the process with the status. */
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
      throw new ParameterException(
          spec.commandLine(), "unknown attack " + name + ": --list names all");
    }
  }

  /** Returns how many got something. */
  private int attackAll() throws Exception {
    int successes = 0;
    try (Arena arena = new Arena()) {
      // Ctrl-C leaves nothing behind.
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
    out().println(successes == 0 ? "nothing was got" : successes + " attacks got something");
    return successes;
  }

  private String got(Attack attack, Arena arena) {
    String got;
    try {
      got = attack.script().on(arena);
    } catch (Exception e) { // of any script: the others still play
      got = "the attack itself failed: " + e;
    }
    out().printf("%-6s %-20s %s%n", got.isEmpty() ? "held" : "GOT", attack.name(), got);
    return got;
  }
}
