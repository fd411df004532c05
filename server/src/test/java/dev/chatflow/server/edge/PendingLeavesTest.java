package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.Line;
import dev.chatflow.message.LineReader;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.server.sink.FakeTimer;
import org.junit.jupiter.api.Test;

class PendingLeavesTest {

  private static final RoomId ROOM = new RoomId("5");
  private static final Shard SHARD = Shard.of(ROOM, 4);
  private static final String OURS = "server-1";

  private final FakeLanes lanes = new FakeLanes();
  private final PendingLeaves leaves =
      new PendingLeaves(lanes, new FakeTimer(), OURS, 1, 4, _ -> false);

  private static ChatMessage message(
      MessageType type, long stamp, String server, String connectionId) {
    ClientMessage content =
        new ClientMessage(type, "17", "user17", "", "2026-11-20T18:46:00Z", type.name());
    return new ChatMessage(
        content, ROOM, 1_000, new ChatMessage.Origin(server, connectionId, "", stamp), false);
  }

  private static Line.Message line(ChatMessage message) {
    byte[] bytes = LineWriter.line(message);
    return (Line.Message) new LineReader().read(bytes, 0, bytes.length);
  }

  private void owe(boolean joined) {
    leaves.owe(message(MessageType.LEAVE, 5, OURS, "b"), joined);
  }

  private void joinIsRead(long stamp, String server, String connectionId, boolean counts) {
    leaves.joinRead(line(message(MessageType.JOIN, stamp, server, connectionId)), counts, false);
  }

  @Test
  void isRepeatedWhenItCameTooLateAndNotOnceItWasRead() {
    owe(true);
    lanes.fate(0).dropped();
    assertThat(lanes.offered).hasSize(2);
    leaves.leaveRead(line(message(MessageType.LEAVE, 5, OURS, "b")));
    lanes.fate(1).dropped();
    assertThat(lanes.offered).hasSize(2);
    assertThat(leaves.isAnyPending(SHARD)).isFalse();
  }

  @Test
  void isNotRepeatedWhereNoServerSawTheUser() {
    owe(false);
    lanes.fate(0).dropped();
    assertThat(lanes.offered).hasSize(1);
    assertThat(leaves.isAnyPending(SHARD)).isFalse();
  }

  /** Two servers whose clocks agree to the millisecond: the greater name wins, for LEAVEs too. */
  @Test
  void isNoLongerPendingOnceAGreaterJoinWasReadEvenOfTheSameTime() {
    owe(true);
    joinIsRead(5, OURS, "a", true);
    joinIsRead(6, OURS, "c", false);
    assertThat(leaves.isAnyPending(SHARD)).isTrue();
    joinIsRead(5, "server-2", "a", true);
    assertThat(leaves.isAnyPending(SHARD)).isFalse();
  }

  @Test
  void isNoLongerPendingWhenItsOwnJoinWasSuperseded() {
    owe(false);
    joinIsRead(5, OURS, "b", false);
    assertThat(leaves.isAnyPending(SHARD)).isFalse();
  }

  /** The JOIN that superseded it may be before the new start of the past. */
  @Test
  void isNotPendingForAJoinOfAUselessPast() {
    Line.Message ours =
        line(message(MessageType.JOIN, 5, OURS, ConnectionRegistry.idPrefix(OURS, 1) + "7"));
    leaves.joinRead(ours, true, true);
    assertThat(leaves.isAnyPending(SHARD)).isTrue();
    leaves.pastRestarts(SHARD);
    leaves.attached(SHARD);
    assertThat(leaves.isAnyPending(SHARD)).isFalse();
    assertThat(lanes.offered).isEmpty();
  }

  @Test
  void isForgottenWithItsShard() {
    owe(true);
    leaves.lost(SHARD);
    lanes.fate(0).unknown();
    assertThat(leaves.isAnyPending(SHARD)).isFalse();
  }
}
