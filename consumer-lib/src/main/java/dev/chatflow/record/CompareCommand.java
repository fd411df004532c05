package dev.chatflow.record;

import dev.chatflow.support.Poll;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The {@code compare} command: checks whether a running standalone consumer has recorded everything
 * that a load client sent.
 */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description =
        "Waits until a standalone consumer has recorded the messages in a load client's senders.csv,"
            + " and compares the counts of each room and sender.")
public final class CompareCommand implements Callable<Integer> {

  static final int EQUAL = 0;
  static final int NOT_EQUAL = 4;

  /** Time without new messages after which missing messages count as lost. */
  private static final Duration QUIET = Duration.ofSeconds(10);

  private static final Poll POLL = Poll.everyMillis(250);
  private static final int MAX_EXAMPLES = 10;
  private static final int PAGE = 1_000;

  private final PrintStream out;

  @Parameters(index = "0", paramLabel = "SENDERS.CSV", description = "of the load client's results")
  private Path senders = Path.of("");

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8082",
      description = "of the standalone consumer (${DEFAULT-VALUE})")
  private URI url = URI.create("");

  @Option(
      names = "--order",
      paramLabel = "ORDER.CSV",
      description = {
        "of a load client's run with --verify kept-order: each room is read back",
        "from the archive and compared with it, message by message"
      })
  private @Nullable Path order;

  /** Creates a command that prints to {@code out}. */
  public CompareCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException {
    Map<Comparison.Key, Comparison.Counts> sent = Comparison.sent(lines());
    try (ConsumerApi api = new ConsumerApi(url)) {
      Recorded recorded = new Recorded(api);
      Comparison.Result result = Comparison.of(sent, recorded.counts);
      while (!result.isEqual() && POLL.until(recorded::hasMore, QUIET)) {
        result = Comparison.of(sent, recorded.counts);
      }
      out.printf(
          "audit: %,d sent, %,d recorded, %,d senders in rooms; %d gaps%n",
          result.sent(), result.recorded(), result.senders(), recorded.counts.gaps());
      List<String> differences = new ArrayList<>(result.differences());
      if (order != null) {
        differences.addAll(orders(api, order));
      }
      return judged(differences);
    }
  }

  private List<String> lines() throws IOException {
    try {
      return Files.readAllLines(senders);
    } catch (NoSuchFileException e) {
      throw new IOException("cannot compare: file not found: " + senders, e);
    }
  }

  /** The messages that the consumer has recorded, as of the last query. */
  private static final class Recorded {
    private final ConsumerApi api;
    private Analytics.Counts counts;

    Recorded(ConsumerApi api) {
      this.api = api;
      this.counts = ask();
    }

    private Analytics.Counts ask() {
      return api.ask("/api/audit", Analytics.Counts.class);
    }

    /** Queries again; returns whether more was recorded since the last query. */
    boolean hasMore() {
      long before = counts.recorded();
      counts = ask();
      return counts.recorded() != before;
    }
  }

  // --- order

  private record Messages(List<OrderComparison.Recorded> messages, long next) {}

  private List<String> orders(ConsumerApi api, Path file) throws IOException {
    List<String> differences = new ArrayList<>();
    long read = 0;
    for (Map.Entry<String, SeenOrder> room : SeenOrder.read(file).entrySet()) {
      OrderComparison compared = new OrderComparison(room.getKey(), room.getValue());
      for (long from = 1; from > 0; ) {
        Messages found =
            api.ask(
                "/api/rooms/%s/messages?from=%d&limit=%d".formatted(room.getKey(), from, PAGE),
                Messages.class);
        found.messages().forEach(compared::next);
        from = found.next();
      }
      read += compared.count();
      differences.addAll(compared.end());
    }
    out.printf("order: %,d messages read back, room by room%n", read);
    return differences;
  }

  private int judged(List<String> differences) {
    differences.stream().limit(MAX_EXAMPLES).forEach(line -> out.println("  " + line));
    if (differences.size() > MAX_EXAMPLES) {
      out.printf("  and %,d more%n", differences.size() - MAX_EXAMPLES);
    }
    boolean equal = differences.isEmpty();
    out.println(
        (equal ? "AUDIT PASS  recorded is" : "AUDIT FAIL  recorded is not")
            + " what was sent, for every room and sender"
            + (order == null ? "" : ", text by text in the order that members saw"));
    return equal ? EQUAL : NOT_EQUAL;
  }
}
