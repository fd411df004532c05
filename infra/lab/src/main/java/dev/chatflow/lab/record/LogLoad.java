package dev.chatflow.lab.record;

import com.google.gson.Gson;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatflow.room.Shard;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Fills the logs of all shards as servers do, without a server; steered by lines on standard input,
 * one answer a line:
 *
 * <pre>
 * say RATE SECONDS    messages a second, of all shards together
 * </pre>
 *
 * <p>The argument is the broker's URI; who reads the logs must have declared them. A thread for
 * each shard.
 */
final class LogLoad {

  private LogLoad() {}

  private record Said(long rows, double seconds, double mostLateMillis) {}

  public static void main(String[] arguments) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(arguments[0]);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    long boot = System.currentTimeMillis();
    List<SpokenLane> lanes = new ArrayList<>();
    try (Connection connection = factory.newConnection("chatflow bench")) {
      for (int shard = 0; shard < Speech.SHARDS; shard++) {
        lanes.add(new SpokenLane(connection, new Shard(shard), Speech.SHARDS, boot));
      }
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        int rate = Integer.parseInt(words[1]);
        Duration time = Duration.ofSeconds(Long.parseLong(words[2]));
        System.out.println(new Gson().toJson(say(lanes, rate, time)));
        System.out.flush();
      }
    }
  }

  private static Said say(List<SpokenLane> lanes, int rate, Duration time) throws Exception {
    long before = lanes.stream().mapToLong(SpokenLane::said).sum();
    long begun = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(lanes.size())) {
      List<Future<Object>> all = new ArrayList<>();
      for (SpokenLane lane : lanes) {
        all.add(
            threads.submit(() -> {
              lane.say(rate / (double) lanes.size(), time.toNanos());
              return lane;
            }));
      }
      for (Future<Object> each : all) {
        each.get();
      }
    }
    return new Said(
        lanes.stream().mapToLong(SpokenLane::said).sum() - before,
        (System.nanoTime() - begun) / 1e9,
        lanes.stream().mapToLong(SpokenLane::mostLateNanos).max().orElse(0) / 1e6);
  }
}
