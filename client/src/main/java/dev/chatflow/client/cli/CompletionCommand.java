package dev.chatflow.client.cli;

import dev.chatflow.client.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** {@code generate-completion}: prints a script with all commands and options for bash and zsh. */
@Command(
    name = "generate-completion",
    description = "print a completion script for bash and zsh: source <(NAME generate-completion)",
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<ExitCode> {
  private final Surroundings surroundings;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NAME",
      defaultValue = "chatflow-client",
      description = "command name to complete, without its path")
  private String name = "";

  @Parameters(index = "1..*", paramLabel = "VERB", description = "additional commands of that name")
  private List<String> verbs = List.of();

  CompletionCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() {
    CommandLine line = Main.commands(surroundings).setCommandName(name);
    for (String verb : verbs) {
      line.addSubcommand(verb, CommandSpec.create());
    }
    surroundings.print(AutoComplete.bash(name, line));
    return ExitCode.PASSED;
  }
}
