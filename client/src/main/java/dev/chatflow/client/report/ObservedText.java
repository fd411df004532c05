package dev.chatflow.client.report;

import dev.chatflow.client.compat.ChatFlowGoConsumer;
import dev.chatflow.client.observe.BrokerFigures;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.Scrape;
import dev.chatflow.client.result.Figures;
import dev.chatflow.client.result.RunResult;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the observers saw, in lines of text. Stateless. */
public final class ObservedText {
  private ObservedText() {}

  public static String of(RunResult result) {
    StringBuilder text = new StringBuilder();
    Observations seen = result.observations();
    if (seen.broker() != null) {
      broker(text, result, seen.broker());
    }
    for (Scrape scrape : seen.scrapes()) {
      text.append(
          String.format(
              Locale.ROOT,
              "  scrape         %s  %d metrics, %d of %d looks missed%n",
              scrape.source(),
              scrape.samples().columns().size(),
              scrape.samples().gaps(),
              scrape.samples().size()));
    }
    seen.complaints().forEach(line -> text.append("  not observed   ").append(line).append('\n'));
    if (seen.consumer() != null) {
      text.append('\n').append(ChatFlowGoConsumer.of(seen.consumer()));
    }
    return text.toString();
  }

  private static void broker(StringBuilder text, RunResult result, BrokerFigures broker) {
    text.append("  broker         ").append(broker.name()).append("; depth by AMQP every 250 ms: ");
    text.append(
        Figures.section("observed.broker").stream()
            .map(figure -> figure.label() + " " + figure.text(result))
            .collect(Collectors.joining(", ")));
    if (!broker.viaApi().isEmpty()) {
      text.append("; by the API, seconds late: ").append(String.join(", ", broker.viaApi()));
    }
    if (!broker.alarms().isEmpty()) {
      text.append("; ALARM ").append(String.join(", ", broker.alarms()));
    }
    text.append('\n');
  }
}
