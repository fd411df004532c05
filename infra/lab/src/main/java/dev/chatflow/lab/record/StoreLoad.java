package dev.chatflow.lab.record;

import com.google.gson.Gson;
import dev.chatflow.record.Analytics;
import dev.chatflow.record.Questions;
import dev.chatflow.record.Store;
import dev.chatflow.record.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Writes a record as its consumer does, one commit in the air, and asks it; steered by lines on
 * standard input, one answer a line:
 *
 * <pre>
 * open STORE          a record that is not there yet
 * fill ROWS BATCH     writes, so many rows a commit, as fast as it goes
 * ask RATE SECONDS    writes RATE rows a second, and asks one question after the other
 * </pre>
 *
 * The caller's thread writes, another one asks.
 */
final class StoreLoad {

  /** By their times messages are said at this rate while a record is filled. */
  private static final int RATE = 20_000;

  private static final int MOST_ROWS = 10_000;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final int PAGE = 1_000;
  private static final int TOP = 10;

  /** From one asked room or user to the next. */
  private static final int STRIDE = 7;

  /** A question about the n-th room or user. */
  @FunctionalInterface
  private interface Question {
    void ask(long n) throws StoreException;
  }

  /** A question, and in how many microseconds it was answered. */
  private record Timed(Question question, Histogram micros) {
    static Timed of(Question question) {
      return new Timed(question, new Histogram(3));
    }

    void ask(long n) throws StoreException {
      long begun = System.nanoTime();
      question.ask(n);
      micros.recordValue((System.nanoTime() - begun) / 1_000);
    }
  }

  private final Store store;
  private Map<Integer, Store.Mark> marks;
  private long written;

  private StoreLoad(String store) throws StoreException {
    this.store = Store.of(store, InstantSource.system());
    this.marks = this.store.open(Speech.SHARDS, 0);
  }

  public static void main(String[] arguments)
      throws IOException, StoreException, InterruptedException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    PrintStream out = System.out;
    StoreLoad load = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      List<String> words = List.of(line.split(" ", -1));
      if (words.getFirst().equals("open")) {
        load = new StoreLoad(words.get(1));
        out.println("{}");
      } else if (load != null) {
        out.println(new Gson().toJson(load.answer(words)));
      }
      out.flush();
    }
  }

  private Object answer(List<String> words) throws StoreException, InterruptedException {
    int first = Integer.parseInt(words.get(1));
    int second = Integer.parseInt(words.get(2));
    return words.getFirst().equals("fill") ? fill(first, second) : ask(first, second);
  }

  private record Filled(long rows, double seconds) {}

  private Filled fill(int rows, int batch) throws StoreException {
    long now = System.currentTimeMillis();
    Speech speech = new Speech(written, now - (long) (rows * 1_000.0 / RATE), RATE);
    long begun = System.nanoTime();
    for (int left = rows; left > 0; left -= batch) {
      append(speech, Math.min(batch, left));
    }
    return new Filled(rows, (System.nanoTime() - begun) / 1e9);
  }

  private void append(Speech speech, int rows) throws StoreException {
    marks = store.append(speech.next(rows), marks);
    written += rows;
  }

  private record Asked(long rows, double seconds, Times lag, Map<String, Times> questions) {}

  private record Times(long count, double p50Millis, double p99Millis) {
    static Times of(Histogram micros) {
      return new Times(
          micros.getTotalCount(),
          micros.getValueAtPercentile(50) / 1e3,
          micros.getValueAtPercentile(99) / 1e3);
    }
  }

  /** The lag of a batch is from when its oldest row was due until its commit. */
  private Asked ask(int rate, int seconds) throws StoreException, InterruptedException {
    Map<String, Timed> timed = questions(store.questions());
    AtomicBoolean asking = new AtomicBoolean(true);
    Thread asks = Thread.ofPlatform().start(() -> ask(timed.values(), asking));
    Speech speech = new Speech(written, System.currentTimeMillis(), rate);
    Histogram lag = new Histogram(3);
    long begun = System.nanoTime();
    long end = Duration.ofSeconds(seconds).toNanos();
    long done = 0;
    for (long now = 0; now < end; now = System.nanoTime() - begun) {
      long due = (long) (rate * (now / 1e9)) - done;
      if (due <= 0) {
        LockSupport.parkNanos(TICK_NANOS);
        continue;
      }
      int rows = (int) Math.min(MOST_ROWS, due);
      long oldest = (long) (done * 1e9 / rate);
      append(speech, rows);
      done += rows;
      lag.recordValue((System.nanoTime() - begun - oldest) / 1_000);
    }
    double wall = (System.nanoTime() - begun) / 1e9;
    asking.set(false);
    asks.join();
    Map<String, Times> times = new TreeMap<>();
    timed.forEach((name, each) -> times.put(name, Times.of(each.micros())));
    return new Asked(done, wall, Times.of(lag), times);
  }

  private static void ask(Collection<Timed> questions, AtomicBoolean asking) {
    try {
      for (long n = 0; asking.get(); n++) {
        for (Timed each : questions) {
          each.ask(n * STRIDE);
        }
      }
    } catch (StoreException e) {
      throw new IllegalStateException("the record does not answer", e);
    }
  }

  private static Map<String, Timed> questions(Questions questions) {
    Analytics analytics = new Analytics(questions);
    long ever = Long.MAX_VALUE;
    return Map.of(
        "room",
        Timed.of(n -> questions.ofRoom(Speech.room(n), new Questions.Page(0, ever, 0, ever, PAGE))),
        "user",
        Timed.of(
            n -> questions.ofUser(Speech.username(n), new Questions.Page(0, 0, 0, ever, PAGE))),
        "active",
        Timed.of(_ -> {
          long now = System.currentTimeMillis();
          var _ = analytics.activeUsers(now - Duration.ofHours(1).toMillis(), now, TOP);
        }),
        "rooms",
        Timed.of(n -> analytics.roomsOf(Speech.username(n))));
  }
}
