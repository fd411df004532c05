package dev.chatflow.shard.room;

import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.log.FrameName;
import dev.chatflow.time.StepThread;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about what the rooms of one thread keep of their past.
 *
 * <p>Any thread asks; the thread that owns the rooms answers. At most {@value #MAX_QUESTIONS} wait:
 * one more is refused. A question waits for its shard to be attached, 2 s at most.
 */
final class PastDesk implements StepThread.Passive {

  static final int MAX_QUESTIONS = 64;

  private static final long PATIENCE_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();
  private static final long FOREVER_NANOS = Duration.ofDays(1).toNanos();

  private record Question(
      RoomId room,
      int most,
      @Nullable FrameName before,
      long askedNanos,
      CompletableFuture<PastAnswer> answer) {}

  private final Rooms rooms;
  private final Predicate<RoomId> known;
  private final Queue<Question> questions = new LinkedBlockingQueue<>(MAX_QUESTIONS);

  /**
   * @param known whether the past of a room is known as far as it ever will be: its shard is
   *     attached
   */
  PastDesk(Rooms rooms, Predicate<RoomId> known) {
    this.rooms = rooms;
    this.known = known;
  }

  /** Asks; the answer comes from a later step, or is a refusal at once. */
  CompletableFuture<PastAnswer> ask(
      RoomId room, int most, @Nullable FrameName before, long nowNanos) {
    CompletableFuture<PastAnswer> answer = new CompletableFuture<>();
    if (!questions.offer(new Question(room, most, before, nowNanos, answer))) {
      answer.complete(new PastAnswer.NotNow("too many questions are waiting"));
    }
    return answer;
  }

  @Override
  public long step(long nowNanos) {
    for (Iterator<Question> each = questions.iterator(); each.hasNext(); ) {
      Question question = each.next();
      if (known.test(question.room())) {
        each.remove();
        question.answer().complete(answer(question));
      } else if (nowNanos - question.askedNanos() >= PATIENCE_NANOS) {
        each.remove();
        question.answer().complete(new PastAnswer.NotNow("the broker is away"));
      }
    }
    return questions.isEmpty() ? FOREVER_NANOS : LOOK_NANOS;
  }

  private PastAnswer answer(Question question) {
    List<String> texts = rooms.textsBefore(question.room(), question.most(), question.before());
    return texts == null ? new PastAnswer.NotFound() : new PastAnswer.Told(texts);
  }
}
