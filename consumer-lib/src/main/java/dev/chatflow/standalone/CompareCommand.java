package dev.chatflow.standalone;

import com.google.gson.Gson;
import com.google.gson.JsonSyntaxException;
import dev.chatflow.standalone.record.Statistics;
import dev.chatflow.time.Poll;
import java.io.IOException;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code compare}: asks a consumer that runs whether it has recorded what a load client sent. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    description =
        "Waits until a consumer has recorded what a load client sent, as its file senders.csv tells,"
            + " and says for each room and sender whether it is equal.")
final class CompareCommand implements Callable<Integer> {

  static final int EQUAL = 0;
  static final int NOT_EQUAL = 4;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Without anything new for so long, what is missing is missing. */
  private static final Duration QUIET = Duration.ofSeconds(10);

  private static final Poll POLL = Poll.everyMillis(250);
  private static final int MAX_EXAMPLES = 10;

  private final PrintStream out;

  @Parameters(index = "0", paramLabel = "SENDERS.CSV", description = "of the load client's results")
  private Path senders = Path.of("");

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8082",
      description = "of the consumer (${DEFAULT-VALUE})")
  private URI url = URI.create("");

  CompareCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public Integer call() throws IOException {
    Map<Comparison.Key, Comparison.Counts> sent = Comparison.sent(lines());
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
      Recorded recorded = new Recorded(http, url.resolve("/api/audit"));
      Comparison.Result result = Comparison.of(sent, recorded.counts);
      while (!result.isEqual() && POLL.until(recorded::hasMore, QUIET)) {
        result = Comparison.of(sent, recorded.counts);
      }
      print(result, recorded.counts);
      return result.isEqual() ? EQUAL : NOT_EQUAL;
    }
  }

  private List<String> lines() throws IOException {
    try {
      return Files.readAllLines(senders);
    } catch (NoSuchFileException e) {
      throw new IOException("cannot compare: there is no file " + senders, e);
    }
  }

  /** What the consumer has recorded so far, as it was last asked. */
  private static final class Recorded {
    private final HttpClient http;
    private final URI url;
    private Statistics.Counts counts;

    Recorded(HttpClient http, URI url) {
      this.http = http;
      this.url = url;
      this.counts = ask(http, url);
    }

    /** Asks; whether more has been recorded since the last time. */
    boolean hasMore() {
      long before = counts.recorded();
      counts = ask(http, url);
      return counts.recorded() != before;
    }

    private static Statistics.Counts ask(HttpClient http, URI url) {
      try {
        HttpRequest request = HttpRequest.newBuilder(url).timeout(TIMEOUT).build();
        var response = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != HttpURLConnection.HTTP_OK) {
          throw cannot(url + " answers " + response.statusCode(), null);
        }
        return new Gson().fromJson(response.body(), Statistics.Counts.class);
      } catch (IOException e) {
        throw cannot(url + " does not answer: " + e, e);
      } catch (JsonSyntaxException e) {
        throw cannot(url + " does not answer as a consumer: " + e.getMessage(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw cannot("interrupted", e);
      }
    }

    private static IllegalStateException cannot(String why, @Nullable Exception cause) {
      return new IllegalStateException("cannot compare: " + why, cause);
    }
  }

  private void print(Comparison.Result result, Statistics.Counts recorded) {
    out.printf(
        "audit: %,d sent, %,d recorded, %,d senders in rooms; %d gaps, %d uncounted%n",
        result.sent(), result.recorded(), result.senders(), recorded.gaps(), recorded.uncounted());
    result.differences().stream().limit(MAX_EXAMPLES).forEach(line -> out.println("  " + line));
    if (result.differences().size() > MAX_EXAMPLES) {
      out.printf("  and %,d more%n", result.differences().size() - MAX_EXAMPLES);
    }
    out.println(
        result.isEqual()
            ? "AUDIT PASS  recorded is what was sent, for every room and sender"
            : "AUDIT FAIL  recorded is not what was sent");
  }
}
