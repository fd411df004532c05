package dev.chatflow.client.cli;

import dev.chatflow.client.ExitCode;
import dev.chatflow.client.Printable;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Target;
import dev.chatflow.client.transport.Tokens;
import dev.chatflow.client.transport.Transport;
import dev.chatflow.client.transport.nio.NioTransport;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code smoke}: checks correctness in seconds and prints one line per check. */
@Command(
    name = "smoke",
    description = "check health, membership and every documented error and close code, in seconds",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true)
final class SmokeCommand implements Callable<ExitCode> {
  private final Surroundings surroundings;

  @Mixin private TargetOptions targets = new TargetOptions();

  @Option(
      names = "--room",
      paramLabel = "ROOM",
      defaultValue = "",
      description = "room [default: smoke-<random>]")
  private String room = "";

  @Option(
      names = "--timeout",
      paramLabel = "DUR",
      defaultValue = "5s",
      description = "maximum wait for each answer [default: ${DEFAULT-VALUE}]")
  private Duration timeout = Duration.ofSeconds(5);

  SmokeCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public ExitCode call() throws InterruptedException {
    Target target = targets.target();
    List<ServerHealth> healths = targets.health(target);
    for (ServerHealth health : healths) {
      report(
          health.healthy() ? "" : "unhealthy",
          "health of " + health.page() + ": " + health.description());
      if (!health.healthy()) {
        return ExitCode.UNREACHABLE;
      }
    }
    String name = room.isEmpty() ? "smoke-" + new SecureRandom().nextInt(1_000_000) : room;
    try (Transport transport = new NioTransport(1, targets.access())) {
      String service = targets.pass(Tokens.SERVICE, "", Tokens.SERVICE);
      Map<String, SmokeChecks.Check> checks =
          new SmokeChecks(transport, target, name, timeout, service).checks();
      Tokens tokens = targets.tokens();
      if (tokens != null) {
        checks.putAll(new TokenChecks(transport, target, name, timeout, tokens).checks());
      }
      return run(checks, healths.size());
    }
  }

  /**
   * Runs all checks and prints how many passed.
   *
   * @param healthy number of passed health checks
   */
  private ExitCode run(Map<String, SmokeChecks.Check> checks, int healthy) {
    long start = System.nanoTime();
    int failed = 0;
    for (Map.Entry<String, SmokeChecks.Check> check : checks.entrySet()) {
      String wrong;
      try {
        wrong = check.getValue().run();
      } catch (IOException e) {
        wrong = e.toString();
      }
      report(wrong, check.getKey());
      failed += wrong.isEmpty() ? 0 : 1;
    }
    int all = healthy + checks.size();
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    surroundings.print(
        "%s  %d of %d checks in %d ms"
            .formatted(failed == 0 ? "PASS" : "FAIL", all - failed, all, took.toMillis()));
    return failed == 0 ? ExitCode.PASSED : ExitCode.NOT_VERIFIED;
  }

  private void report(String wrong, String name) {
    surroundings.print(
        wrong.isEmpty() ? "ok    " + name : "FAIL  " + name + ": " + Printable.of(wrong));
  }
}
