package dev.chatflow.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.Line;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CurrentEntryTest {

  private static final long NOW = 1_795_000_000_000L;
  private static final RoomId ROOM = new RoomId("5");
  private static final Lane LANE = Objects.requireNonNull(Lane.parse("server-1/1/0"));

  private final Shard shard = new Shard(0);
  private final Window window = new Window(WindowBounds.STREAM, true);
  private final List<String> buried = new ArrayList<>();
  private final List<LineVerdict> verdicts = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private long number;

  private final CurrentEntry entry =
      new CurrentEntry(
          shard,
          1,
          new CurrentEntry.LineReceiver() {
            @Override
            public boolean hasSpace(Line.Message line) {
              return true;
            }

            @Override
            public @Nullable String take(
                Line.Message line, LineVerdict verdict, LogReceiver.Source source) {
              verdicts.add(verdict);
              texts.add(line.message().content().message());
              return null;
            }

            @Override
            public void taken(Arrival arrival, int lines, LogReceiver.Source source) {}
          },
          letter -> buried.add(letter.reason()));

  private void join(long stamp, long builtMillis) throws Exception {
    ClientMessage content =
        new ClientMessage(
            MessageType.JOIN, "1", "user1", "I am back", "2026-11-20T18:46:00Z", "j" + stamp);
    ChatMessage.Origin origin =
        new ChatMessage.Origin("server-1", "s-" + stamp, "127.0.0.1", stamp);
    take(new ChatMessage(content, ROOM, NOW, origin, false), builtMillis);
  }

  private void take(ChatMessage message, long builtMillis) throws Exception {
    Entry header = new Entry(LANE, ++number, 0, true);
    Arrival arrival =
        new Arrival(
            number,
            Arrival.NO_OFFSET,
            header,
            builtMillis,
            Arrival.Content.LINE,
            LineWriter.line(message),
            0);
    var _ = window.judge(header, arrival.body().length);
    entry.begin(arrival, LogReceiver.Source.OTHER);
    var _ = entry.take(window);
  }

  /** A stamp in the future outranked every later JOIN of that user. */
  @Test
  void stampLaterThanItsEntryIsADeadLetterAndSupersedesNoOther() throws Exception {
    join(999_999_999_999_999L, NOW);
    assertThat(buried).containsExactly("its stamp 999999999999999 is later than its entry");
    join(NOW + 1, NOW + 2);
    assertThat(verdicts).containsExactly(LineVerdict.SHOWN);
  }

  @Test
  void joinOfAMutedUserLosesItsText() throws Exception {
    ClientMessage mute = ClientMessage.mute("1", NOW + 10, NOW).withMessageId("mute");
    take(new ChatMessage(mute, ROOM, NOW, new ChatMessage.Origin("server-1", "s", ""), false), NOW);
    join(NOW + 1, NOW + 2);
    join(NOW + 11, NOW + 12);
    assertThat(texts).containsExactly("", "", "I am back");
    assertThat(verdicts).containsOnly(LineVerdict.SHOWN);
  }

  @Test
  void stampOfAForeignPublisherIsADeadLetter() throws Exception {
    join(NOW, 0);
    assertThat(buried).hasSize(1);
    assertThat(verdicts).isEmpty();
  }
}
