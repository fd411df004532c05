package dev.chatflow.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Digest;
import dev.chatflow.log.Entry;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.log.PresenceOutlet;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.Line;
import dev.chatflow.message.LineReader;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A snapshot that arrives after the request was repeated, or before the log is followed. */
class SnapshotTimingTest {

  private static final RoomId ROOM = new RoomId("5");
  private static final long BEAT = TimeUnit.SECONDS.toNanos(4);
  private static final Lane OWN = new Lane("x", 1, 0);
  private static final Lane OTHER = new Lane("b", 1, 0);

  /** More than are kept before a new request is made. */
  private static final int STAYS = 60_000;

  private long asks;
  private long own;
  private long other = 1;
  private long nanos = BEAT;

  private final PresenceOutlet voice =
      new PresenceOutlet() {
        @Override
        public Lane name() {
          return OWN;
        }

        @Override
        public void requestSnapshots(long request, boolean begins) {
          asks = request;
        }

        @Override
        public void announceLost(List<Lane> lanes) {}

        @Override
        public void announceMembers(Digest members) {}

        @Override
        public void sendSnapshot(List<byte[]> pages) {}
      };

  private final OrphanedLeaves nobodyDies =
      new OrphanedLeaves() {
        @Override
        public boolean isBusy() {
          return true;
        }

        @Override
        public void leaves(RoomId room, Person person) {}
      };

  private final ShardPresence presence =
      new ShardPresence(voice, nobodyDies, new PresenceLimit(1_000), PresenceMeter.NONE);

  @Test
  void laterEntriesAreNotKept() {
    presence.begins();
    read(OTHER, PresenceHeaders.NONE, null, null);
    read(OWN, new PresenceHeaders(1, null, List.of(OWN)), null, null);
    presence.attached();
    for (int i = 0; asks == 1 && i < 10; i++) {
      nanos += BEAT;
      read(OWN, PresenceHeaders.NONE, null, null);
    }
    assertThat(asks).as("asked again, and that is not read yet").isEqualTo(2);

    byte[] answer = Page.bodies(new Page.Request(OWN, 1), List.of(), List.of()).getFirst();
    read(OTHER, PresenceHeaders.NONE, answer, null);
    read(OWN, new PresenceHeaders(2, null, List.of()), null, null);
    assertThat(presence.isComplete()).isTrue();

    for (int i = 1; i <= STAYS; i++) {
      read(OTHER, PresenceHeaders.NONE, null, line(MessageType.JOIN, i));
      read(OTHER, PresenceHeaders.NONE, null, line(MessageType.LEAVE, i));
    }
    nanos += BEAT;
    read(OWN, PresenceHeaders.NONE, null, null);
    assertThat(asks).as("too much was kept: asked once more").isEqualTo(2);
    assertThat(presence.of(ROOM).members()).isEmpty();
  }

  @Test
  void presenceIsNotCompleteBeforeTheLogIsFollowed() {
    presence.begins();
    read(OTHER, PresenceHeaders.NONE, null, null);
    read(OWN, new PresenceHeaders(1, null, List.of(OWN)), null, null);
    byte[] answer = Page.bodies(new Page.Request(OWN, 1), List.of(), List.of()).getFirst();
    read(OTHER, PresenceHeaders.NONE, answer, null);
    assertThat(presence.isComplete()).isFalse();
    presence.attached();
    assertThat(presence.isComplete()).isTrue();
  }

  private void read(
      Lane lane,
      PresenceHeaders presenceHeaders,
      byte @Nullable [] page,
      Line.@Nullable Message line) {
    if (line != null) {
      presence.shown(lane, line);
    }
    long number = lane.equals(OWN) ? ++own : ++other;
    Entry entry = new Entry(lane, number, number - 1, line != null || page != null);
    presence.read(entry, presenceHeaders, page, true, nanos);
  }

  private static Line.Message line(MessageType type, int stay) {
    ClientMessage content =
        new ClientMessage(type, "u" + stay, "user", "", "2026-11-20T18:46:00Z", "m-" + stay);
    ChatMessage.Origin origin = new ChatMessage.Origin("b", "b-" + stay, "", stay);
    byte[] bytes = LineWriter.line(new ChatMessage(content, ROOM, 1000, origin, false));
    return (Line.Message) new LineReader().read(bytes, 0, bytes.length);
  }
}
