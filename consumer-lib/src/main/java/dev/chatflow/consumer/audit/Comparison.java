package dev.chatflow.consumer.audit;

import com.google.gson.Gson;
import com.google.gson.JsonSyntaxException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares what a load client sent with what a consumer recorded, room by room and sender by
 * sender.
 *
 * <p>What was recorded must be what was sent; where a client sent again after a lost connection it
 * may be more by as many. LEAVEs that servers made were sent by nobody and are left out.
 */
final class Comparison {

  static final int EQUAL = 0;
  static final int NOT_EQUAL = 4;
  static final String HEADER = "room,userId,username,joins,texts,leaves,resent,refused";

  private static final URI DEFAULT_URL = URI.create("http://127.0.0.1:8082");
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Without anything new for so long, what is missing is missing. */
  private static final Duration QUIET = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(250);
  private static final int MAX_EXAMPLES = 10;
  private static final int COLUMNS = 8;

  /** A sender in a room. */
  record Key(String room, String userId, String username) {
    @Override
    public String toString() {
      return "room " + room + ", user " + userId + " (" + username + ")";
    }
  }

  /**
   * How much of each kind.
   *
   * @param slack how much more than these may have been recorded: sent again
   */
  record Counts(long joins, long texts, long leaves, long slack) {
    static final Counts NONE = new Counts(0, 0, 0, 0);

    long messages() {
      return joins + texts + leaves;
    }

    /** Whether {@code recorded} is what these, as sent, must lead to. */
    boolean leadTo(Counts recorded) {
      long more = recorded.texts - texts;
      return joins == recorded.joins && leaves == recorded.leaves && more >= 0 && more <= slack;
    }
  }

  /**
   * The outcome.
   *
   * @param differences in words, one a sender
   */
  record Result(long sent, long recorded, int senders, List<String> differences) {
    boolean isEqual() {
      return differences.isEmpty();
    }
  }

  private Comparison() {}

  static int run(List<String> arguments, PrintStream out, PrintStream err) {
    if (arguments.isEmpty() || arguments.size() > 2) {
      err.println("chatflow: compare needs SENDERS.CSV and at most a URL (see --help)");
      return ConsumerMain.USAGE;
    }
    try {
      Map<Key, Counts> sent = sent(Files.readAllLines(Path.of(arguments.getFirst())));
      URI url = arguments.size() == 2 ? URI.create(arguments.get(1)) : DEFAULT_URL;
      return compare(sent, url.resolve("/api/audit"), out);
    } catch (IOException | IllegalArgumentException e) {
      err.println("chatflow: cannot compare: " + e.getMessage());
      return ConsumerMain.FAILED;
    }
  }

  /** Asks again while more comes and it is not equal. */
  private static int compare(Map<Key, Counts> sent, URI url, PrintStream out) throws IOException {
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
      Statistics.Audit audit = ask(http, url);
      Result result = compare(sent, audit);
      long quietNanos = System.nanoTime();
      while (!result.isEqual() && System.nanoTime() - quietNanos < QUIET.toNanos()) {
        LockSupport.parkNanos(POLL.toNanos());
        Statistics.Audit next = ask(http, url);
        if (next.recorded() != audit.recorded()) {
          quietNanos = System.nanoTime();
        }
        audit = next;
        result = compare(sent, audit);
      }
      print(result, audit, out);
      return result.isEqual() ? EQUAL : NOT_EQUAL;
    }
  }

  private static Statistics.Audit ask(HttpClient http, URI url) throws IOException {
    try {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(url).timeout(TIMEOUT).build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != Answers.OK) {
        throw new IOException(url + " answers " + response.statusCode());
      }
      return new Gson().fromJson(response.body(), Statistics.Audit.class);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (JsonSyntaxException e) {
      throw new IOException(url + " does not answer as a consumer: " + e.getMessage(), e);
    }
  }

  private static void print(Result result, Statistics.Audit audit, PrintStream out) {
    out.printf(
        "audit: %,d sent, %,d recorded, %,d senders in rooms; %d gaps, %d uncounted%n",
        result.sent(), result.recorded(), result.senders(), audit.gaps(), audit.uncounted());
    result.differences().stream().limit(MAX_EXAMPLES).forEach(line -> out.println("  " + line));
    if (result.differences().size() > MAX_EXAMPLES) {
      out.printf("  and %,d more%n", result.differences().size() - MAX_EXAMPLES);
    }
    out.println(
        result.isEqual()
            ? "AUDIT PASS  recorded is what was sent, for every room and sender"
            : "AUDIT FAIL  recorded is not what was sent");
  }

  static Result compare(Map<Key, Counts> sent, Statistics.Audit audit) {
    Map<Key, Counts> recorded = recorded(audit);
    List<String> differences = new ArrayList<>();
    sent.forEach((key, counts) -> {
      Counts found = recorded.getOrDefault(key, Counts.NONE);
      if (!counts.leadTo(found)) {
        differences.add(key + ": sent " + shown(counts) + ", recorded " + shown(found));
      }
    });
    recorded.forEach((key, counts) -> {
      if (!sent.containsKey(key)) {
        differences.add(key + ": sent nothing, recorded " + shown(counts));
      }
    });
    if (audit.uncounted() > 0) {
      differences.add(audit.uncounted() + " messages of senders beyond CHATFLOW_CONSUMER_SENDERS");
    }
    long sum = sent.values().stream().mapToLong(Counts::messages).sum();
    return new Result(sum, audit.recorded(), sent.size(), differences);
  }

  private static String shown(Counts counts) {
    return "%d JOIN %d TEXT %d LEAVE".formatted(counts.joins(), counts.texts(), counts.leaves());
  }

  private static Map<Key, Counts> recorded(Statistics.Audit audit) {
    Map<Key, Counts> counts = new TreeMap<>(Comparator.comparing(Key::toString));
    for (Statistics.RoomAudit room : audit.rooms()) {
      for (Statistics.SenderCount sender : room.senders()) {
        counts.put(
            new Key(room.roomId(), sender.userId(), sender.username()),
            new Counts(sender.joins(), sender.texts(), sender.leaves(), 0));
      }
    }
    return counts;
  }

  /** Reads a client's file; what it was refused was not to be recorded. */
  static Map<Key, Counts> sent(List<String> lines) {
    if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
      throw new IllegalArgumentException("not a file of senders: its first line is not " + HEADER);
    }
    Map<Key, Counts> sent = new TreeMap<>(Comparator.comparing(Key::toString));
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      if (fields.length != COLUMNS) {
        throw new IllegalArgumentException("not a line of senders: " + line);
      }
      long texts = Long.parseLong(fields[4]) - Long.parseLong(fields[7]);
      sent.put(
          new Key(fields[0], fields[1], fields[2]),
          new Counts(
              Long.parseLong(fields[3]),
              texts,
              Long.parseLong(fields[5]),
              Long.parseLong(fields[6])));
    }
    return sent;
  }
}
