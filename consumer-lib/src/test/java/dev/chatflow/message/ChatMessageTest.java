package dev.chatflow.message;

import static dev.chatflow.message.Frames.ROOM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Messages that break a rule cannot be created in any way. */
class ChatMessageTest {

  private static final String USER_ID_RULE = "must have 1 to 64 of A-Z a-z 0-9 . _ : @ | -";
  private static final String TEXT_RULE = "must have 1 to 4000 characters";

  @Test
  void messageThatBreaksARuleIsNeverMade() {
    String time = "2026-11-20T18:46:00Z";
    assertThatThrownBy(() -> new ClientMessage(MessageType.TEXT, "a b", "abc", "x", time, null))
        .hasMessage("user id " + USER_ID_RULE);
    assertThatThrownBy(() -> new ClientMessage(MessageType.TEXT, "1", "", "x", time, null))
        .hasMessageStartingWith("username must");
    assertThatThrownBy(() -> new ClientMessage(MessageType.TEXT, "1", "abc", "", time, null))
        .hasMessage("message " + TEXT_RULE);
    assertThatThrownBy(() -> new ClientMessage(MessageType.JOIN, "1", "abc", "", "now", null))
        .hasMessageStartingWith("timestamp must");
    assertThatThrownBy(() -> new ClientMessage(MessageType.JOIN, "1", "abc", "", time, "a b"))
        .hasMessageStartingWith("message id must");
    assertThatThrownBy(() -> new ChatMessage.Origin("server\"", "", ""))
        .hasMessageStartingWith("server id must");
  }

  @Test
  void acceptedMessageHasAnIdAndATimeAndOnlyALeaveIsSynthetic() {
    String time = "2026-11-20T18:46:00Z";
    ChatMessage.Origin origin = new ChatMessage.Origin("server-1", "s", "");
    ClientMessage join = new ClientMessage(MessageType.JOIN, "1", "abc", "", time, "id");
    ClientMessage nameless = new ClientMessage(MessageType.JOIN, "1", "abc", "", time, null);
    assertThat(new ChatMessage(join, ROOM, 0, origin, false).messageId()).isEqualTo("id");
    assertThatThrownBy(() -> new ChatMessage(nameless, ROOM, 0, origin, false))
        .hasMessage("an accepted message has a message id");
    assertThatThrownBy(() -> new ChatMessage(join, ROOM, -1, origin, false))
        .hasMessageStartingWith("server time out of range");
    assertThatThrownBy(() -> new ChatMessage(join, ROOM, 0, origin, true))
        .hasMessageStartingWith("only a LEAVE or a mute is synthetic");
  }
}
