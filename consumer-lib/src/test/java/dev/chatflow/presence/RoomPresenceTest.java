package dev.chatflow.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.room.UserDevice;
import org.junit.jupiter.api.Test;

class RoomPresenceTest {

  private final RoomPresence room = new RoomPresence();

  private static Person person(String userId, String device) {
    return new Person(
        new UserDevice(userId, device), "name", new Lane("one", 1, 0), userId + device, 1, 1, null);
  }

  @Test
  void usersAreCountedOnceForAllTheirDevices() {
    room.add(person("17", "tablet"));
    room.add(person("17", "phone"));
    room.add(person("17.5", "phone"));
    room.add(person("17", ""));
    assertThat(room.users()).isEqualTo(2);
    assertThat(room.size()).isEqualTo(4);

    room.remove(new UserDevice("17", "phone"));
    room.remove(new UserDevice("17", ""));
    assertThat(room.users()).isEqualTo(2);
    room.remove(new UserDevice("17", "tablet"));
    assertThat(room.users()).isEqualTo(1);
  }

  @Test
  void membersAfterAUserAreThoseOfLaterUsers() {
    room.add(person("17", "phone"));
    room.add(person("17", "tablet"));
    room.add(person("18", ""));
    assertThat(room.after("17")).extracting(each -> each.who().userId()).containsExactly("18");
    assertThat(room.after("16")).hasSize(3);
  }
}
