package dev.chatflow.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RecentMessagesTest {

  private static final long NOW = 1_700_000_000_000L;
  private static final long TWO_MINUTES = 120_000;

  private final RoomId room = new RoomId("5");
  private final RecentMessages recent = new RecentMessages(4096);

  @Test
  void idIsRememberedForTwoMinutes() {
    assertThat(recent.remember(room, 1, 42, NOW)).isTrue();
    assertThat(recent.remember(room, 1, 42, NOW + TWO_MINUTES - 1)).isFalse();
    assertThat(recent.remember(room, 1, 42, NOW + TWO_MINUTES)).isTrue();
  }

  @Test
  void idsBelongToAUserInARoom() {
    recent.remember(room, 1, 42, NOW);

    assertThat(recent.remember(room, 2, 42, NOW)).isTrue();
    assertThat(recent.remember(new RoomId("6"), 1, 42, NOW)).isTrue();
  }

  @Test
  void theLast1024IdsOfAUserAreRemembered() {
    for (int id = 0; id < 1025; id++) {
      recent.remember(room, 1, id, NOW);
    }

    for (int id = 1; id < 1025; id++) {
      assertThat(recent.remember(room, 1, id, NOW)).isFalse();
    }
    assertThat(recent.remember(room, 1, 0, NOW)).isTrue();
  }

  @Test
  void hashZeroIsAnIdLikeOthers() {
    assertThat(recent.remember(room, 1, 0, NOW)).isTrue();
    assertThat(recent.remember(room, 1, 0, NOW)).isFalse();
  }

  @Test
  void userHeardOfLongestAgoIsForgottenForLackOfRoom() {
    for (int user = 1; user <= 512; user++) {
      recent.remember(room, user, 42, NOW);
    }
    assertThat(recent.evictions()).isZero();
    recent.remember(room, 1, 43, NOW);

    recent.remember(room, 513, 42, NOW);

    assertThat(recent.evictions()).isEqualTo(1);
    assertThat(recent.remember(room, 1, 42, NOW)).isFalse();
    assertThat(recent.remember(room, 2, 42, NOW)).isTrue();
  }

  @Test
  void userNotHeardOfForTwoMinutesIsForgotten() {
    recent.remember(room, 1, 42, NOW);
    recent.joined(room, 2, new JoinStamp(1, "s", "x"), NOW + 1);

    recent.expire(NOW + TWO_MINUTES - 1);
    assertThat(recent.users()).isEqualTo(2);
    recent.expire(NOW + TWO_MINUTES);
    assertThat(recent.users()).isEqualTo(1);
    recent.expire(NOW + TWO_MINUTES + 1);

    assertThat(recent.users()).isZero();
    assertThat(recent.evictions()).isZero();
  }

  @Test
  void newestJoinOfAUserIsRemembered() {
    JoinStamp stamp = new JoinStamp(7, "s", "x");
    assertThat(recent.newestJoin(room, 1)).isNull();

    recent.joined(room, 1, stamp, NOW);

    assertThat(recent.newestJoin(room, 1)).isEqualTo(stamp);
    assertThat(recent.newestJoin(new RoomId("6"), 1)).isNull();
  }

  @Test
  void ageIsRightWhereTheLow32BitsOfTheClockWrap() {
    long wrap = NOW | 0xffff_ffffL;
    recent.remember(room, 1, 42, wrap);

    assertThat(recent.remember(room, 1, 42, wrap + 1)).isFalse();
  }

  @Test
  void mustHoldTheIdsOfOneUser() {
    assertThatThrownBy(() -> new RecentMessages(1023)).isInstanceOf(IllegalArgumentException.class);
  }
}
