package dev.chatflow.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When servers repeat a mute, and how many there may be. */
class WindowMutesTest {

  private static final int ENTRIES = 40;
  private static final int BYTES = 10;
  private static final RoomId ROOM = new RoomId("5");
  private static final long END = 1_000;
  private static final double FIRST = 0;
  private static final double LAST = 1;

  private final Window window = new Window(new WindowBounds(ENTRIES, 1_000 * BYTES), true);

  private void read(int entries) {
    for (int i = 0; i < entries; i++) {
      assertThat(window.judge(null, BYTES)).isEqualTo(EntryVerdict.ON_TIME);
    }
  }

  private LineVerdict mute(String user) {
    ClientMessage mute = ClientMessage.mute(user, END, 0).withMessageId("m");
    ChatMessage.Origin origin = new ChatMessage.Origin("s", "", "");
    return window.mute(new ChatMessage(mute, ROOM, 0, origin, false));
  }

  private boolean isMuted() {
    return window.isMuted(ROOM, new UserDevice("1", ""), END - 1);
  }

  @Test
  void serversRepeatAMuteOneAfterTheOther() {
    read(1);
    assertThat(mute("1")).isEqualTo(LineVerdict.SHOWN);
    read(ENTRIES / 4 - 1);
    assertThat(window.mutesDue(0, FIRST)).isEmpty();
    read(1);
    assertThat(window.mutesDue(0, LAST)).isEmpty();
    List<ChatMessage> due = window.mutesDue(0, FIRST);
    assertThat(due).singleElement().matches(ChatMessage::synthetic);
    assertThat(window.mutesDue(0, FIRST)).as("it is on its way").isEmpty();
    assertThat(window.mute(due.getFirst())).isEqualTo(LineVerdict.REPEAT);
    read(ENTRIES / 4);
    assertThat(window.mutesDue(0, LAST)).as("another server repeated it").isEmpty();
    assertThat(isMuted()).isTrue();
  }

  @Test
  void largeEntriesBringARepetitionForward() {
    read(1);
    mute("1");
    assertThat(window.judge(null, 500 * BYTES)).isEqualTo(EntryVerdict.ON_TIME);
    assertThat(window.mutesDue(0, FIRST)).hasSize(1);
  }

  @Test
  void muteThatLeftTheWindowIsRepeatedUntilItEnds() {
    read(1);
    mute("1");
    read(ENTRIES + 1);
    assertThat(isMuted()).as("no window contains it").isFalse();
    assertThat(window.mutesDue(END - 1, LAST)).hasSize(1);
    read(ENTRIES);
    assertThat(window.mutesDue(END, LAST)).isEmpty();
  }

  @Test
  void shardHasALimitedNumberOfMutes() {
    read(1);
    for (int user = 1; user <= WindowMutes.MAX_MUTES; user++) {
      assertThat(mute("u" + user)).isEqualTo(LineVerdict.SHOWN);
    }
    assertThat(mute("1")).isEqualTo(LineVerdict.REFUSED);
    assertThat(isMuted()).isFalse();
    assertThat(mute("u1")).as("a newer mute of the same user").isEqualTo(LineVerdict.SHOWN);
  }
}
