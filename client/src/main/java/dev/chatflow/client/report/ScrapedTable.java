package dev.chatflow.client.report;

import dev.chatflow.client.observe.Scrape;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.result.Numbers;
import dev.chatflow.client.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lists scraped metrics. Stateless. */
final class ScrapedTable {
  private static final Pattern TELLING =
      Pattern.compile(
          "(?i).*(lag|depth|queue|inflight|in_flight|unacked|process_cpu|connections).*");

  private ScrapedTable() {}

  /** Returns the names in objectives, then those that are usually informative. */
  static List<String> interesting(RunResult result) {
    List<String> names =
        result.observations().scrapes().stream()
            .flatMap(scrape -> scrape.samples().columns().stream())
            .distinct()
            .toList();
    String objectives =
        String.join(
            " ",
            result.plan().judging().objectives().stream().map(Judging.Objective::left).toList());
    Stream<String> named = names.stream().filter(objectives::contains);
    return Stream.concat(named, names.stream().filter(name -> TELLING.matcher(name).matches()))
        .distinct()
        .toList();
  }

  static List<List<String>> rows(RunResult result) {
    List<List<String>> rows = new ArrayList<>();
    for (Scrape scrape : result.observations().scrapes()) {
      for (String name : scrape.samples().columns().stream().sorted().toList()) {
        rows.add(
            List.of(
                name,
                scrape.source(),
                cell(scrape.samples().statistic(name, "mean")),
                cell(scrape.samples().statistic(name, "max")),
                cell(scrape.samples().statistic(name, "last")),
                cell(scrape.samples().statistic(name, "rate"))));
      }
    }
    return rows;
  }

  private static String cell(OptionalDouble value) {
    return value.isPresent() ? Numbers.plain(value.getAsDouble()) : "";
  }
}
