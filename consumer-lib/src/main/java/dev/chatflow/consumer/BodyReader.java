package dev.chatflow.consumer;

import dev.chatflow.message.line.Batch;
import dev.chatflow.message.line.DeadLetter;
import dev.chatflow.message.line.Line;
import dev.chatflow.message.line.LineReader;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bodies of AMQP messages apart: what can be read goes line by line to a taker, the rest
 * to the dead letters.
 *
 * <p>Belongs to the consumer thread. Knows no channel: what nobody can decode waits in {@link
 * #deadLetters}, at most {@value #MAX_DEAD_LETTERS}, the oldest dropped.
 */
public final class BodyReader {

  private static final int MAX_DEAD_LETTERS = 1_000;

  /** What becomes of the messages. */
  @FunctionalInterface
  public interface Taker {
    /**
     * Takes one message.
     *
     * @return null, or why it belongs to the dead letters
     */
    @Nullable String take(Line.Message message);
  }

  private final LineReader reader = new LineReader();
  private final Queue<DeadLetter> deadLetters = new ArrayDeque<>();
  private final Taker taker;
  private final ConsumerMeter meter;
  private int messages;

  public BodyReader(Taker taker, ConsumerMeter meter) {
    this.taker = taker;
    this.meter = meter;
  }

  /** Reads a body; returns how many lines it has. */
  public int read(Delivery delivery) {
    messages = 0;
    byte[] body = delivery.body();
    if (delivery.isBatch()) {
      Batch.forEachLine(body, (from, to) -> line(body, from, to));
    } else if (body.length > 0) {
      line(body, 0, body.length);
    }
    return messages;
  }

  /** A line that fails in an unforeseen way must not stop all others. */
  private void line(byte[] body, int from, int to) {
    messages++;
    try {
      String reason =
          switch (reader.read(body, from, to)) {
            case Line.Message message -> taker.take(message);
            case Line.Poison poison -> poison.reason();
          };
      if (reason != null) {
        bury(body, from, to, reason);
      }
    } catch (RuntimeException e) {
      bury(body, from, to, "failed: " + e);
    }
  }

  private void bury(byte[] body, int from, int to, String reason) {
    meter.poison();
    if (deadLetters.size() >= MAX_DEAD_LETTERS) {
      deadLetters.remove();
    }
    deadLetters.add(new DeadLetter(Arrays.copyOfRange(body, from, to), reason));
  }

  /** What waits to be published to the dead letters, oldest first; the taker removes. */
  public Queue<DeadLetter> deadLetters() {
    return deadLetters;
  }
}
