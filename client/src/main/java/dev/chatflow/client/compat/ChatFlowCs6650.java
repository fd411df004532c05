package dev.chatflow.client.compat;

import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Preset;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.record.Csv;
import dev.chatflow.client.result.RunResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The workload and the throughput file of ChatFlow_CS6650's client. Stateless. */
public final class ChatFlowCs6650 {
  private static final int HALVES_PER_BUCKET = 20;

  /** 32 users warm up; then 500,000 messages of all types follow, one in flight per user. */
  public static final Preset PRESET =
      new Preset(
          "warmup-a1",
          20,
          28,
          0,
          500_000,
          new Warmup(Duration.ZERO, 32, 1_000),
          new Mix(90, 5, 5),
          true,
          true);

  private ChatFlowCs6650() {}

  /** Returns the accepted messages per ten seconds. */
  static String throughput(RunResult result) {
    Csv csv = new Csv(List.of("bucketStartMillis", "count", "throughputMsgPerSec"));
    long start = result.record().started().toEpochMilli();
    long[] halves = result.record().halves().accepted();
    for (int from = 0; from < halves.length; from += HALVES_PER_BUCKET) {
      int to = Math.min(from + HALVES_PER_BUCKET, halves.length);
      long count = Arrays.stream(halves, from, to).sum();
      csv.row(start + from * 500L, count, count / 10.0);
    }
    return csv.toString();
  }
}
