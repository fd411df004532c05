package dev.chatflow.client.report;

import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.plan.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** Writes a stored run in the columns of the second and the fourth seed, row by row. Stateless. */
public enum Export {
  /** {@code id,sender,receiver,sent_at,received_at,latency}, times in microseconds. */
  LATENCY,
  /** {@code sent_at,received,sent} per second of sending; sent counts expected copies. */
  SENT_VS_RECEIVED,
  /** {@code start_time,latency,request_type,response_code}, times in milliseconds. */
  SKIER;

  /** {@code latency}, {@code sent-vs-received} or {@code skier}. */
  public static Export of(String name) {
    for (Export export : values()) {
      if (export.label().equals(name)) {
        return export;
      }
    }
    throw new InvalidPlan("--export must be latency, sent-vs-received or skier, found " + name);
  }

  private String label() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }

  /** Writes the file into the run's directory and returns where it is. */
  public Path write(Path directory, RunResult result) throws IOException {
    Workload workload = result.plan().workload();
    String size = workload.rooms() + "-" + workload.roomSize();
    return switch (this) {
      case LATENCY -> latency(directory, directory.resolve("latency_" + size + ".csv"));
      case SENT_VS_RECEIVED ->
          sentVersusReceived(
              directory, directory.resolve("sent-vs-received_" + size + ".csv"), workload);
      case SKIER -> skier(directory, directory.resolve("output.csv"));
    };
  }

  private static Path latency(Path directory, Path file) throws IOException {
    Map<String, Long> sent = new HashMap<>();
    try (BufferedReader rows = open(directory, "deliveries");
        Writer out = Files.newBufferedWriter(file)) {
      out.write("id,sender,receiver,sent_at,received_at,latency\n");
      for (String row = rows.readLine(); row != null; row = rows.readLine()) {
        String[] cells = row.split(",", -1);
        long at = Long.parseLong(cells[4]);
        if (cells[3].equals("Sent")) {
          sent.put(cells[0], at);
        } else {
          long from = sent.getOrDefault(cells[0], at);
          out.write(
              cells[0]
                  + ","
                  + cells[1]
                  + ","
                  + cells[2]
                  + ","
                  + from
                  + ","
                  + at
                  + ","
                  + (at - from)
                  + "\n");
        }
      }
    }
    return file;
  }

  private static Path sentVersusReceived(Path directory, Path file, Workload workload)
      throws IOException {
    Map<String, Long> secondOf = new HashMap<>();
    Map<Long, long[]> seconds = new TreeMap<>();
    try (BufferedReader rows = open(directory, "deliveries")) {
      for (String row = rows.readLine(); row != null; row = rows.readLine()) {
        String[] cells = row.split(",", -1);
        if (cells[3].equals("Sent")) {
          long second = Long.parseLong(cells[4]) / 1_000_000;
          secondOf.put(cells[0], second);
          seconds.computeIfAbsent(second, _ -> new long[2])[1] += workload.roomSize();
        } else {
          long second = secondOf.getOrDefault(cells[0], Long.parseLong(cells[4]) / 1_000_000);
          seconds.computeIfAbsent(second, _ -> new long[2])[0]++;
        }
      }
    }
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("sent_at,received,sent\n");
      for (Map.Entry<Long, long[]> second : seconds.entrySet()) {
        out.write(second.getKey() + "," + second.getValue()[0] + "," + second.getValue()[1] + "\n");
      }
    }
    return file;
  }

  private static Path skier(Path directory, Path file) throws IOException {
    try (BufferedReader rows = open(directory, "messages");
        Writer out = Files.newBufferedWriter(file)) {
      out.write("start_time,latency,request_type,response_code\n");
      rows.readLine();
      for (String row = rows.readLine(); row != null; row = rows.readLine()) {
        String[] cells = row.split(",", -1);
        if (cells[1].equals("TEXT")) {
          long start = Instant.parse(cells[0]).toEpochMilli();
          long code = cells[3].equals("200") ? 201 : 504;
          out.write(
              start + "," + Math.round(Double.parseDouble(cells[2])) + ",POST," + code + "\n");
        }
      }
    }
    return file;
  }

  private static BufferedReader open(Path directory, String kind) throws IOException {
    Path file = directory.resolve(kind + ".csv.gz");
    if (!Files.isReadable(file)) {
      throw new InvalidPlan("this export needs " + file + ": run again with --csv " + kind);
    }
    return new BufferedReader(
        new InputStreamReader(
            new GZIPInputStream(Files.newInputStream(file), 1 << 16), StandardCharsets.US_ASCII));
  }
}
