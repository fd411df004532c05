package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Who comes, goes, comes back on the same connection, is taken over or lost, in a random order and
 * with sockets that stop taking anything: rooms count the members that a map of them has, and
 * nothing is left when all have gone.
 */
class MembersModelTest {

  private static final int SEEDS = 300;
  private static final int STEPS = 400;
  private static final int ROOMS = 3;
  private static final int USERS = 12;

  @Test
  void roomsCountWhoIsThere() {
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
      String member = 1 + random.nextInt(ROOMS) + " " + random.nextInt(USERS);
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> join(member, new FakeMember("s" + ++connections));
        case 3 -> again(member);
        case 4, 5 -> leave(member);
        case 6 -> joinElsewhere(member);
        case 7 -> hold(member);
        case 8 -> release();
        default -> scene.say(room(member), user(member), "text");
      }
      if (random.nextInt(100) == 0) {
        lose();
      }
    }

    /** Loudly or quietly; whoever was there as this user is taken over. */
    private void join(String member, FakeMember member) {
      there.put(member, member);
      if (random.nextBoolean()) {
        scene.join(room(member), user(member), member.connectionId(), member);
      } else {
        scene.joinQuietly(room(member), user(member), member.connectionId(), member);
      }
    }

    private void again(String member) {
      FakeMember member = there.get(member);
      if (member != null && member.closeReason() == null) {
        leave(member);
        join(member, member);
      }
    }

    private void leave(String member) {
      FakeMember member = there.remove(member);
      String connectionId = member == null ? "elsewhere" : member.connectionId();
      if (random.nextBoolean()) {
        scene.leave(room(member), user(member), connectionId);
      } else {
        scene.leaveQuietly(room(member), user(member), connectionId);
      }
    }

    private void joinElsewhere(String member) {
      there.remove(member);
      scene.join(room(member), user(member), "elsewhere", null);
    }

    private void hold(String member) {
      FakeMember member = there.get(member);
      if (member != null) {
        member.sink().hold();
        held.add(member);
      }
    }

    private void release() {
      held.forEach(each -> each.sink().release());
      held.clear();
    }

    /** Entries of a shard may be missing: its members are told, and are members no more. */
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

    private static String room(String member) {
      return member.substring(0, member.indexOf(' '));
    }

    private static int user(String member) {
      return Integer.parseInt(member.substring(member.indexOf(' ') + 1));
    }
  }
}
