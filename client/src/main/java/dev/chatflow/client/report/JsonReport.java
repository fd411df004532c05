package dev.chatflow.client.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.chatflow.client.observe.BrokerFigures;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.result.Figure;
import dev.chatflow.client.result.Figures;
import dev.chatflow.client.result.RunResult;
import dev.chatflow.client.result.Unit;
import dev.chatflow.client.result.Verdict;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Findings;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Writes the result as one JSON object. Stateless. */
public final class JsonReport {
  public static final int SCHEMA_VERSION = 1;
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
  private static final double[] PERCENTILES = {
    10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.9, 99.99
  };

  /** Series that are present only with values; the others always are. */
  private static final Set<Series> IF_TIMED = EnumSet.of(Series.CATCH_UP, Series.SIGNAL);

  private JsonReport() {}

  public static String of(RunResult result) {
    JsonObject json = new JsonObject();
    json.addProperty("schemaVersion", SCHEMA_VERSION);
    json.addProperty("version", result.version());
    json.addProperty("label", result.label());
    json.addProperty("started", result.record().started().toString());
    json.add("verdict", verdict(result));
    json.add("plan", plan(result));
    json.add("counts", counts(result));
    json.add("rates", figures(new JsonObject(), "rates", result));
    json.add("client", client(result));
    json.add("latencyMicros", latencies(result));
    json.add("observed", observed(result));
    json.add("rooms", rooms(result));
    return GSON.toJson(json);
  }

  private static JsonObject verdict(RunResult result) {
    Verdict verdict = result.verdict();
    JsonObject json = new JsonObject();
    json.addProperty("passed", verdict.passed());
    json.addProperty("exitCode", verdict.exitCode().number());
    json.addProperty("headline", verdict.headline());
    json.addProperty("ended", result.record().ended());
    json.add("objectives", GSON.toJsonTree(verdict.objectives()));
    JsonArray examples = new JsonArray();
    for (Defect defect : Defect.values()) {
      result.findings().examples(defect).forEach(example -> examples.add(example(example)));
    }
    json.add("defects", figures(new JsonObject(), "verdict.defects", result));
    json.add("examples", examples);
    return json;
  }

  private static JsonObject example(Findings.Example example) {
    JsonObject json = GSON.toJsonTree(example).getAsJsonObject();
    json.addProperty("defect", example.defect().label());
    return json;
  }

  private static JsonObject plan(RunResult result) {
    Workload workload = result.plan().workload();
    JsonObject json = new JsonObject();
    json.add("urls", GSON.toJsonTree(result.plan().target().urls()));
    json.addProperty("rooms", workload.rooms());
    json.addProperty("roomSize", workload.roomSize());
    json.addProperty("texts", workload.texts());
    json.addProperty("durationSeconds", workload.duration().toMillis() / 1e3);
    json.addProperty("model", result.plan().pacing().model().name().toLowerCase(Locale.ROOT));
    json.addProperty("ratePerSecond", result.plan().pacing().ratePerSecond());
    json.addProperty("threads", result.plan().loadThreads());
    json.addProperty("seed", result.plan().seed());
    json.addProperty("runId", result.plan().runId());
    json.addProperty("expectedSends", result.expected().sends());
    json.addProperty("expectedDeliveries", result.expectedDeliveries());
    return json;
  }

  private static JsonObject counts(RunResult result) {
    Tally tally = result.record().tally();
    JsonObject json = figures(new JsonObject(), "counts", result);
    json.add("errorCodes", GSON.toJsonTree(tally.errorCodes()));
    json.add("closeCodes", GSON.toJsonTree(tally.closeCodes()));
    json.add("failures", GSON.toJsonTree(tally.failures()));
    return json;
  }

  private static JsonObject client(RunResult result) {
    JsonObject json = new JsonObject();
    json.addProperty("machine", result.machine().line());
    return figures(json, "client", result);
  }

  /** Adds the known figures of a section. */
  private static JsonObject figures(JsonObject json, String section, RunResult result) {
    for (Figure figure : Figures.section(section)) {
      double value = figure.of(result);
      if (figure.unit() == Unit.YES_NO) {
        json.addProperty(figure.field(), value != 0);
      } else if (!Double.isNaN(value)) {
        Number number = figure.unit().isWhole() ? (Number) Math.round(value) : (Number) value;
        json.addProperty(figure.field(), number);
      }
    }
    return json;
  }

  private static JsonObject latencies(RunResult result) {
    JsonObject json = new JsonObject();
    for (Series series : Series.values()) {
      if (IF_TIMED.contains(series) && isEmpty(result, series)) {
        continue;
      }
      JsonObject clocks = new JsonObject();
      clocks.add("service", histogram(result.record().series().of(series, Clock.SERVICE)));
      if (result.hasTwoClocks()) {
        clocks.add("response", histogram(result.record().series().of(series, Clock.RESPONSE)));
      }
      json.add(series.label(), clocks);
    }
    return json;
  }

  private static boolean isEmpty(RunResult result, Series series) {
    return result.record().series().of(series, Clock.SERVICE).getTotalCount() == 0;
  }

  private static JsonObject histogram(Histogram histogram) {
    JsonObject json = new JsonObject();
    json.addProperty("count", histogram.getTotalCount());
    if (histogram.getTotalCount() > 0) {
      json.addProperty("min", histogram.getMinValue());
      json.addProperty("mean", histogram.getMean());
      json.addProperty("stddev", histogram.getStdDeviation());
      for (double percentile : PERCENTILES) {
        json.addProperty(
            "p"
                + (percentile % 1 == 0
                    ? Integer.toString((int) percentile)
                    : Double.toString(percentile)),
            histogram.getValueAtPercentile(percentile));
      }
      json.addProperty("max", histogram.getMaxValue());
    }
    return json;
  }

  private static JsonObject observed(RunResult result) {
    JsonObject json = new JsonObject();
    Observations seen = result.observations();
    BrokerFigures broker = seen.broker();
    if (broker != null) {
      JsonObject seenOfIt = new JsonObject();
      seenOfIt.addProperty("name", broker.name());
      figures(seenOfIt, "observed.broker", result);
      seenOfIt.add("alarms", GSON.toJsonTree(broker.alarms()));
      json.add("broker", seenOfIt);
    }
    if (seen.consumer() != null) {
      json.add("consumer", seen.consumer());
    }
    json.add("complaints", GSON.toJsonTree(seen.complaints()));
    return json;
  }

  private static JsonArray rooms(RunResult result) {
    JsonArray rooms = new JsonArray();
    for (RoomFigures room : result.record().rooms()) {
      JsonObject json = new JsonObject();
      json.addProperty("room", room.room());
      json.addProperty("users", room.users());
      json.addProperty("sent", room.sent());
      json.addProperty("accepted", room.accepted());
      json.addProperty("delivered", room.delivered());
      json.addProperty("throughput", room.throughput());
      json.addProperty("meanEchoMillis", room.meanEchoMillis());
      rooms.add(json);
    }
    return rooms;
  }
}
