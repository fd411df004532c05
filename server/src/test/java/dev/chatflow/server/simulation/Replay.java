package dev.chatflow.server.simulation;

import dev.chatflow.server.simulation.plan.Plan;
import dev.chatflow.server.simulation.plan.Step;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A failure to replay: a seed, and the steps that are enough. */
record Replay(long seed, List<Integer> steps) {

  static Replay of(Plan plan) {
    return new Replay(plan.dice().seed(), plan.steps().stream().map(Step::number).toList());
  }

  /** Parses the text of {@link #stepsText}; an empty text means all steps. */
  static Replay of(long seed, String steps) {
    List<Integer> numbers =
        Arrays.stream(steps.split(","))
            .filter(part -> !part.isBlank())
            .flatMapToInt(Replay::range)
            .boxed()
            .toList();
    return new Replay(seed, numbers);
  }

  private static IntStream range(String part) {
    int dash = part.indexOf('-');
    int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
    int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
    return IntStream.rangeClosed(first, last);
  }

  Plan plan() {
    Plan whole = Plan.of(seed);
    return steps.isEmpty()
        ? whole
        : whole.with(whole.steps().stream().filter(step -> steps.contains(step.number())).toList());
  }

  String stepsText() {
    return steps.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Returns the command that replays it. */
  String command() {
    return "mvn test -pl server -am -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false"
        + " -Dsimulation.seed=%d -Dsimulation.steps=%s".formatted(seed, stepsText());
  }

  /** Returns the form that {@link PlanRun} parses. */
  @Override
  public String toString() {
    return seed + " " + stepsText();
  }
}
