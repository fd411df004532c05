package dev.chatflow.client.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.chatflow.client.observe.Observations;
import dev.chatflow.client.plan.Workload;
import dev.chatflow.client.record.Clock;
import dev.chatflow.client.record.RoomFigures;
import dev.chatflow.client.record.Series;
import dev.chatflow.client.record.Tally;
import dev.chatflow.client.verify.Defect;
import dev.chatflow.client.verify.Example;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** The result as one JSON object. Stateless. */
public final class JsonReport {
  public static final int SCHEMA_VERSION = 1;
  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();
  private static final double[] PERCENTILES = {
    10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.9, 99.99
  };

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
    json.add("rates", rates(result));
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
    json.addProperty("exitCode", verdict.exitCode());
    json.addProperty("headline", verdict.headline());
    json.addProperty("ended", result.record().ended());
    json.add("objectives", GSON.toJsonTree(verdict.objectives()));
    JsonObject defects = new JsonObject();
    JsonArray examples = new JsonArray();
    for (Defect defect : Defect.values()) {
      defects.addProperty(defect.label(), result.findings().count(defect));
      result.findings().examples(defect).forEach(example -> examples.add(example(example)));
    }
    json.add("defects", defects);
    json.add("examples", examples);
    return json;
  }

  private static JsonObject example(Example example) {
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
    json.addProperty("expectedDeliveries", result.expected().deliveries());
    return json;
  }

  private static JsonObject counts(RunResult result) {
    Tally tally = result.record().tally();
    JsonObject json = new JsonObject();
    json.addProperty("sent", tally.written());
    json.addProperty("accepted", tally.echoed());
    json.addProperty("failed", tally.textsUnsent);
    json.addProperty("rejected", tally.rejected);
    json.addProperty("retries", tally.retries);
    json.addProperty("texts", tally.textsWritten);
    json.addProperty("joins", tally.joinsWritten);
    json.addProperty("leaves", tally.leavesWritten);
    json.addProperty("deliveries", tally.deliveries());
    json.addProperty("textDeliveries", tally.textDeliveries);
    json.addProperty("joinDeliveries", tally.joinDeliveries);
    json.addProperty("leaveDeliveries", tally.leaveDeliveries);
    json.addProperty("connectionsOpened", tally.connectionsOpened);
    json.addProperty("connectionsFailed", tally.connectionsFailed);
    json.addProperty("connectionsLost", tally.connectionsLost);
    json.addProperty("lostAgain", tally.lostAgain);
    json.addProperty("reconnections", tally.reconnections);
    json.addProperty("dropped", tally.dropped);
    json.addProperty("slowLost", tally.slowLost);
    json.addProperty("resent", tally.resent);
    json.addProperty("syntheticLeaves", tally.syntheticLeaves);
    json.addProperty("foreignFrames", tally.foreignFrames);
    json.addProperty("unreadableFrames", tally.unreadableFrames);
    json.add("errorCodes", GSON.toJsonTree(tally.errorCodes()));
    json.add("closeCodes", GSON.toJsonTree(tally.closeCodes()));
    json.add("failures", GSON.toJsonTree(tally.failures()));
    return json;
  }

  private static JsonObject rates(RunResult result) {
    JsonObject json = new JsonObject();
    json.addProperty("totalSeconds", result.totalSeconds());
    json.addProperty("windowSeconds", result.record().windowSeconds());
    json.addProperty("acceptedPerSecond", result.acceptedPerSecond());
    json.addProperty("deliveriesPerSecond", result.deliveriesPerSecond());
    json.addProperty("fanOut", result.textFanOut());
    json.addProperty("meanInFlight", result.meanInFlight());
    return json;
  }

  private static JsonObject client(RunResult result) {
    JsonObject json = new JsonObject();
    json.addProperty("machine", result.machine().line());
    json.addProperty("cpuSeconds", result.cpuSeconds());
    json.addProperty("cpuMicrosPerDelivery", result.cpuMicrosPerDelivery());
    json.addProperty("framesPerRead", result.framesPerRead());
    json.addProperty("busyShare", result.busyShare());
    json.addProperty("loopCpuShare", result.loopCpuShare());
    json.addProperty("loopQueuedShare", result.loopQueuedShare());
    json.addProperty("bottleneck", result.isBottleneck());
    json.addProperty("starved", result.isStarved());
    json.addProperty("machineBusySeconds", result.machineCpu().busyNanos() / 1e9);
    json.addProperty("machineStolenSeconds", result.machineCpu().stolenNanos() / 1e9);
    json.addProperty("machineIdleSeconds", result.machineCpu().idleNanos() / 1e9);
    json.addProperty("bytesIn", result.record().traffic().bytesIn);
    json.addProperty("bytesOut", result.record().traffic().bytesOut);
    json.addProperty("fullSockets", result.record().traffic().fullSockets);
    return json;
  }

  private static JsonObject latencies(RunResult result) {
    JsonObject json = new JsonObject();
    for (Series series : Series.values()) {
      JsonObject clocks = new JsonObject();
      clocks.add("service", histogram(result.record().series().of(series, Clock.SERVICE)));
      if (result.hasTwoClocks()) {
        clocks.add("response", histogram(result.record().series().of(series, Clock.RESPONSE)));
      }
      json.add(series.label(), clocks);
    }
    return json;
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
    if (seen.broker() != null) {
      Observations.BrokerFigures figures = seen.broker();
      JsonObject broker = new JsonObject();
      broker.addProperty("name", figures.name());
      number(broker, "queuePeak", result.queueDepth("peak"));
      number(broker, "queueMean", result.queueDepth("mean"));
      broker.addProperty("queueEnd", figures.left());
      for (String rate : List.of("publishPerSecond", "deliverPerSecond", "ackPerSecond")) {
        number(broker, rate, figures.rates().statistic(rate, "max"));
      }
      number(broker, "connectionsBlocked", figures.rates().statistic("blocked", "max"));
      broker.add("alarms", GSON.toJsonTree(figures.alarms()));
      json.add("broker", broker);
    }
    if (seen.consumer() != null) {
      json.add("consumer", seen.consumer());
    }
    json.add("complaints", GSON.toJsonTree(seen.complaints()));
    return json;
  }

  /** A figure that was not seen is absent. */
  private static void number(JsonObject json, String name, OptionalDouble value) {
    value.ifPresent(present -> json.addProperty(name, present));
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
