package dev.chatflow.lab.node;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of the load client.
 *
 * @param exit exit status
 * @param report report as JSON
 */
public record LoadResult(int exit, JsonObject report) {

  public long defect(String label) {
    return defects().get(label).getAsLong();
  }

  private JsonObject defects() {
    return report.getAsJsonObject("verdict").getAsJsonObject("defects");
  }

  /** Returns the counts of all defects. */
  public Map<String, Long> found() {
    Map<String, Long> found = new TreeMap<>();
    defects()
        .entrySet()
        .forEach(entry -> {
          if (entry.getValue().getAsLong() > 0) {
            found.put(entry.getKey(), entry.getValue().getAsLong());
          }
        });
    return found;
  }

  /** Returns example defects and the client's verdict. */
  public String details() {
    JsonObject verdict = report.getAsJsonObject("verdict");
    return verdict.get("headline").getAsString()
        + " examples "
        + verdict.getAsJsonArray("examples")
        + " failures "
        + report.getAsJsonObject("counts").get("failures");
  }

  public long count(String name) {
    return report.getAsJsonObject("counts").get(name).getAsLong();
  }

  public long closedWith(int code) {
    JsonElement closes =
        report.getAsJsonObject("counts").getAsJsonObject("closeCodes").get(Integer.toString(code));
    return closes == null ? 0 : closes.getAsLong();
  }

  /** Returns the maximum time from a message's due time to its arrival at a member. */
  public Duration longestStall() {
    return micros("delivery", "response", "max");
  }

  /** Returns the maximum time from a lost connection to the next membership. */
  public Duration slowestRecovery() {
    return micros("recovery", "service", "max");
  }

  private Duration micros(String series, String clock, String statistic) {
    JsonElement value =
        report
            .getAsJsonObject("latencyMicros")
            .getAsJsonObject(series)
            .getAsJsonObject(clock)
            .get(statistic);
    return value == null ? Duration.ZERO : Duration.ofNanos(value.getAsLong() * 1_000);
  }
}
