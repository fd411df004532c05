package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Members join, leave, return on the same connection, are taken over or lost, in random order and
 * with stalled sockets. Rooms count the members that a map of them has, and hold nothing after all
 * have left.
 */
class MembersModelTest {

  private static final int SEEDS = 300;
  private static final int STEPS = 400;
  private static final int ROOMS = 3;
  private static final int USERS = 12;

  @Test
  void roomsCountTheirMembers() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      new Play(seed).run();
    }
  }

  private static final class Play {
    private final int seed;
    private final Random random;
    private final RoomScene scene = new RoomScene();
    private final Map<String, FakeMember> there = new HashMap<>();
    private final List<FakeMember> held = new ArrayList<>();
    private int connections;

    Play(int seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
        if (random.nextInt(4) == 0) {
          scene.runAll();
        }
        if (random.nextInt(4) == 0) {
          check();
        }
      }
      held.forEach(each -> each.sink().release());
      List.copyOf(there.keySet()).forEach(this::leave);
      scene.runAll();
      check();
      assertThat(scene.rooms().all()).as("seed %d", seed).isEmpty();
      assertThat(scene.rooms().logBytes()).as("seed %d", seed).isZero();
    }

    private void step() {
      String seat = 1 + random.nextInt(ROOMS) + " " + random.nextInt(USERS);
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> join(seat, new FakeMember("s" + ++connections));
        case 3 -> again(seat);
        case 4, 5 -> leave(seat);
        case 6 -> joinElsewhere(seat);
        case 7 -> hold(seat);
        case 8 -> release();
        default -> scene.say(room(seat), user(seat), "text");
      }
      if (random.nextInt(100) == 0) {
        lose();
      }
    }

    /** Joins, quietly or not; an earlier member of this user is taken over. */
    private void join(String seat, FakeMember member) {
      there.put(seat, member);
      if (random.nextBoolean()) {
        scene.join(room(seat), user(seat), member.connectionId(), member);
      } else {
        scene.joinQuietly(room(seat), user(seat), member.connectionId(), member);
      }
    }

    private void again(String seat) {
      FakeMember member = there.get(seat);
      if (member != null && member.closeReason() == null) {
        leave(seat);
        join(seat, member);
      }
    }

    private void leave(String seat) {
      FakeMember member = there.remove(seat);
      String connectionId = member == null ? "elsewhere" : member.connectionId();
      if (random.nextBoolean()) {
        scene.leave(room(seat), user(seat), connectionId);
      } else {
        scene.leaveQuietly(room(seat), user(seat), connectionId);
      }
    }

    private void joinElsewhere(String seat) {
      there.remove(seat);
      scene.join(room(seat), user(seat), "elsewhere", null);
    }

    private void hold(String seat) {
      FakeMember member = there.get(seat);
      if (member != null) {
        member.sink().hold();
        held.add(member);
      }
    }

    private void release() {
      held.forEach(each -> each.sink().release());
      held.clear();
    }

    /** Loses entries of a shard: its members are closed and no longer count. */
    private void lose() {
      String room = Integer.toString(1 + random.nextInt(ROOMS));
      scene.rooms().forget(Shard.of(new RoomId(room), 4));
      there
          .entrySet()
          .removeIf(each -> {
            boolean lost = room(each.getKey()).equals(room);
            if (lost) {
              each.getValue().close(CloseReason.GAP);
            }
            return lost;
          });
    }

    private void check() {
      scene.tick();
      assertThat(scene.rooms().memberCount()).as("seed %d", seed).isEqualTo(there.size());
      assertThat((long) scene.rooms().occupied())
          .as("seed %d", seed)
          .isEqualTo(there.keySet().stream().map(Play::room).distinct().count());
    }

    private static String room(String seat) {
      return seat.substring(0, seat.indexOf(' '));
    }

    private static int user(String seat) {
      return Integer.parseInt(seat.substring(seat.indexOf(' ') + 1));
    }
  }
}
