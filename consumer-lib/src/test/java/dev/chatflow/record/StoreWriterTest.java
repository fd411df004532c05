package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.log.LogPosition;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.support.CapturedLog;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The writer's reactions to a failing store. */
class StoreWriterTest {

  /** The fault of the next append. */
  private enum Fault {
    NONE,
    /** Before anything was written. */
    AWAY,
    /** The answer to the commit is lost. */
    UNKNOWN,
    /** Another process writes in between. */
    FENCED
  }

  /** A store in memory. */
  private static final class FakeStore implements Store {
    private final List<String> bodies = new ArrayList<>();
    private Map<Integer, Mark> marks = new HashMap<>();
    private Fault next = Fault.NONE;
    private int unopened;
    private final List<Long> retained = new CopyOnWriteArrayList<>();

    @Override
    public synchronized Map<Integer, Mark> open(int shards, long sinceMillis)
        throws StoreException {
      if (unopened > 0) {
        unopened--;
        throw StoreException.of("open", new SQLException("away", "08001"));
      }
      return Map.copyOf(marks);
    }

    @Override
    public synchronized Map<Integer, Mark> append(WriteBatch batch, Map<Integer, Mark> before)
        throws StoreException {
      Fault fault = next;
      next = Fault.NONE;
      if (fault == Fault.AWAY) {
        throw StoreException.of("append", new SQLException("away", "57P01"));
      }
      refuse(batch);
      if (!marks.equals(before) || fault == Fault.FENCED) {
        throw StoreException.fenced(name());
      }
      Map<Integer, Mark> after = new HashMap<>(marks);
      batch
          .positions()
          .forEach((shard, position) ->
              after.put(shard, new Mark(position, bodies.size() + batch.messages())));
      batch.rows().values().forEach(rows -> rows.forEach(row -> bodies.add(row.body())));
      marks = after;
      if (fault == Fault.UNKNOWN) {
        throw StoreException.of("commit", new SQLException("lost", "08006"));
      }
      return Map.copyOf(after);
    }

    private static void refuse(WriteBatch batch) throws StoreException {
      for (List<Row> rows : batch.rows().values()) {
        if (rows.stream().anyMatch(row -> row.body().startsWith("bad"))) {
          throw StoreException.of("append", new SQLException("no such byte", "22021"));
        }
      }
    }

    @Override
    public boolean accepts(WriteBatch batch, Map<Integer, Mark> before) {
      try {
        refuse(batch);
        return true;
      } catch (StoreException _) {
        return false;
      }
    }

    @Override
    public long sinceMillis() {
      return 0;
    }

    @Override
    public boolean retain(long messages, long counts) {
      retained.add(messages - counts);
      return retained.size() < 4;
    }

    @Override
    public long forget(String userId) {
      return 0;
    }

    @Override
    public String name() {
      return "fake";
    }

    @Override
    public ArchiveQueries questions() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}

    synchronized void next(Fault fault) {
      next = fault;
    }

    synchronized void unopened(int times) {
      unopened = times;
    }

    synchronized List<String> bodies() {
      return List.copyOf(bodies);
    }
  }

  private final FakeStore store = new FakeStore();
  private final List<String> buried = new CopyOnWriteArrayList<>();
  private final RecordMeters meters = new RecordMeters();
  private final StoreWriter writer =
      new StoreWriter(
          new StoreWriter.Parts(
              store, 4, 0, 30, InstantSource.system(), meters, this::sendDeadLetter, _ -> {}));
  private long number;

  private void sendDeadLetter(DeadLetter letter) {
    buried.add(new String(letter.body(), StandardCharsets.UTF_8) + " " + letter.reason());
  }

  @AfterEach
  void close() {
    writer.close();
    meters.close();
  }

  private void say(String... texts) {
    number++;
    List<Row> rows = new ArrayList<>();
    for (String text : texts) {
      rows.add(Row.of(Spoken.text("1", 1, text), false));
    }
    writer.waiting().add(0, rows, new LogPosition(number, "server-1/1/0", number, number, 0));
  }

  private void awaitBodies(String... bodies) {
    await().untilAsserted(() -> assertThat(store.bodies()).containsExactly(bodies));
  }

  @Test
  void writesTheSameBatchAgainUntilItIsThere() {
    store.unopened(2);
    store.next(Fault.AWAY);
    writer.start();
    say("a", "b");
    awaitBodies("a", "b");
    say("c");
    awaitBodies("a", "b", "c");
    await().until(() -> writer.trouble().isEmpty() && writer.lagMillis() == 0);
  }

  @Test
  void writesNothingTwiceWhenTheAnswerToACommitIsLost() {
    store.next(Fault.UNKNOWN);
    writer.start();
    say("a", "b");
    await().until(() -> meters.scrape(null).body().contains("chatflow_record_failures_total 1"));
    say("c");
    awaitBodies("a", "b", "c");
  }

  @Test
  void publishesARefusedRowAsDeadLetterAndWritesTheOthers() {
    writer.start();
    say("a", "b", "bad1", "c", "d", "bad2");
    awaitBodies("a", "b", "c", "d");
    assertThat(buried).hasSize(2).allMatch(letter -> letter.contains("no such byte"));
    assertThat(buried.getFirst()).contains("\"message\":\"bad1\"");
  }

  @Test
  void deletesOldRowsWhileMessagesArrive() {
    writer.start();
    say("a");
    awaitBodies("a");
    await().until(() -> store.retained.size() == 4);
    assertThat(store.retained)
        .as("counts stay longer than the messages' 30 days")
        .containsOnly(370L);
  }

  @Test
  void endsWhenAnotherProcessHasWritten() {
    store.next(Fault.FENCED);
    try (CapturedLog log = CapturedLog.of(StoreWriter.class)) {
      writer.start();
      say("a");
      await().until(() -> !log.lines().isEmpty() && writer.failure() != null);
      assertThat(log.lines()).singleElement().asString().contains("another process has written");
    }
    assertThat(String.valueOf(writer.failure())).contains("another process has written");
    assertThat(store.bodies()).isEmpty();
  }

  @Test
  void acceptsNoMoreThanABatchWithoutTheStore() {
    store.unopened(Integer.MAX_VALUE);
    writer.start();
    String[] many = new String[PendingRows.MAX_ROWS];
    Arrays.fill(many, "x");
    say(many);
    assertThat(writer.waiting().hasSpace()).isFalse();
    await().until(() -> writer.trouble().contains("away"));
    assertThat(writer.lagMillis()).isPositive();
    store.unopened(0);
    await().until(() -> store.bodies().size() == PendingRows.MAX_ROWS);
    assertThat(writer.waiting().hasSpace()).isTrue();
  }

  @Test
  void writesWhatIsWaitingBeforeItEnds() {
    writer.start();
    await().until(writer::isOpen);
    say("a");
    writer.close();
    assertThat(store.bodies()).containsExactly("a");
  }
}
