package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random TEXTs of a few users over minutes, compared with one deque a user. */
class RecentMessagesModelTest {

  static LongStream seeds() {
    return new Random(29).longs(10);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behavesLikeADequeOfTheLast1024(long seed) {
    Random random = new Random(seed);
    RecentMessages recent = new RecentMessages(8192);
    RoomId room = new RoomId("5");
    List<Model> users = List.of(new Model(), new Model());
    int ids = 200 + random.nextInt(3000);
    int pause = 10 + random.nextInt(200);
    long now = random.nextLong(1L << 40);
    for (int step = 0; step < 2500; step++) {
      int user = random.nextInt(3) / 2;
      long hash = random.nextInt(ids);
      now += random.nextInt(pause);
      recent.expire(now);

      boolean isNew = users.get(user).remember(hash, now);

      if (recent.remember(room, user, hash, now) != isNew) {
        fail("step %d: id %d of user %d is new: %b", step, hash, user, isNew);
      }
    }
    assertThat(recent.evictions()).isZero();
  }

  private static final class Model {

    private record Seen(long hash, long millis) {}

    private final ArrayDeque<Seen> order = new ArrayDeque<>();
    private final Map<Long, Long> newest = new HashMap<>();

    boolean remember(long hash, long now) {
      Long millis = newest.get(hash);
      if (millis != null && now - millis < 120_000) {
        return false;
      }
      order.add(new Seen(hash, now));
      newest.put(hash, now);
      if (order.size() > RecentMessages.IDS_PER_USER) {
        Seen oldest = order.remove();
        newest.remove(oldest.hash(), oldest.millis());
      }
      return true;
    }
  }
}
