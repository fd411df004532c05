package dev.chatflow.client.report;

import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.observe.Samples;
import java.util.Locale;
import java.util.OptionalDouble;

/** What the observers saw, in lines of text. Stateless. */
final class ObservedText {
  private ObservedText() {}

  static String of(RunResult result) {
    StringBuilder text = new StringBuilder();
    Observations seen = result.observations();
    if (seen.broker() != null) {
      broker(text, result, seen.broker());
    }
    for (Observations.Scrape scrape : seen.scrapes()) {
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
      text.append('\n').append(ConsumerText.of(seen.consumer()));
    }
    return text.toString();
  }

  private static void broker(
      StringBuilder text, RunResult result, Observations.BrokerFigures broker) {
    Samples rates = broker.rates();
    text.append(
        String.format(
            Locale.ROOT,
            "  broker         %s: queue depth peak %s, mean %s (AMQP, 250 ms); publish %s/s, deliver"
                + " %s/s, ack %s/s at most; connections blocked %s%n",
            broker.name(),
            whole(result.queueDepth("peak")),
            whole(result.queueDepth("mean")),
            brief(rates.statistic("publishPerSecond", "max")),
            brief(rates.statistic("deliverPerSecond", "max")),
            brief(rates.statistic("ackPerSecond", "max")),
            whole(rates.statistic("blocked", "max"))));
    String left =
        broker.left() == 0
            ? "all queues empty"
            : broker.left() < 0
                ? "depth not known"
                : Numbers.whole(broker.left()) + " messages left in the queues";
    text.append("                 after the run ").append(left);
    if (!broker.viaApi().isEmpty()) {
      text.append("; by the API, seconds late: ").append(String.join(", ", broker.viaApi()));
    }
    if (!broker.alarms().isEmpty()) {
      text.append("; ALARM ").append(String.join(", ", broker.alarms()));
    }
    text.append('\n');
  }

  private static String whole(OptionalDouble value) {
    return value.isPresent() ? Numbers.whole(Math.round(value.getAsDouble())) : "-";
  }

  private static String brief(OptionalDouble value) {
    return value.isPresent() ? Numbers.brief(value.getAsDouble()) : "-";
  }
}
