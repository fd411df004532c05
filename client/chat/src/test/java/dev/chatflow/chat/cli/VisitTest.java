package dev.chatflow.chat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.chat.Code;
import dev.chatflow.chat.Extras;
import dev.chatflow.chat.Member;
import dev.chatflow.chat.Message;
import dev.chatflow.chat.People;
import dev.chatflow.chat.Room;
import dev.chatflow.chat.Signal;
import dev.chatflow.chat.State;
import dev.chatflow.chat.User;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the printed events of a connection. */
class VisitTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Member ANN = new Person("17", "ann", null);
  private static final Room ROOM =
      (Room)
          Proxy.newProxyInstance(
              VisitTest.class.getClassLoader(), new Class<?>[] {Room.class}, (_, _, _) -> "5");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final AtomicInteger stops = new AtomicInteger();
  private final Visit visit =
      new Visit(
          new Screen(new PrintStream(out, true, StandardCharsets.UTF_8)), stops::incrementAndGet);

  private record Person(String id, String name, @Nullable String data) implements Member {}

  private record Waiting(String why, Instant until) implements State.Waiting {}

  private record Stopped(String why, Code code, int closeCode) implements State.Stopped {}

  private record Gap(Instant since, @Nullable Message until) implements Room.Gap {}

  private record Change(List<Member> joined, List<User> left, int count) implements People.Change {}

  private record Typing(
      User user, String kind, String text, Instant at, boolean own, Extras extras, String device)
      implements Signal {}

  private record Text(
      User user,
      String text,
      String id,
      Instant at,
      boolean own,
      boolean past,
      boolean late,
      Extras extras,
      String device)
      implements Message {
    @Override
    public String position() {
      return "";
    }
  }

  private static State.Here here(String server) {
    return () -> server;
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** A text of another user could move the cursor, set the title and write to the clipboard. */
  @Test
  void controlCharactersFromOtherUsersAreEscaped() {
    visit.state(ROOM, here("one"));
    String text = "\u001b[2J\u001b]52;c;cm0=\u0007 hi\r\nbob: forged \u202eleft \u009b1m";
    visit.message(ROOM, new Text(ANN, text, "m-1", NOON, false, false, false, Extras.NONE, ""));
    visit.state(ROOM, new Waiting("lost\u001b[2J", NOON));
    assertThat(lines())
        .containsExactly(
            "ann: \\u001b[2J\\u001b]52;c;cm0=\\u0007 hi\\u000d\\u000abob: forged \\u202eleft"
                + " \\u009b1m",
            "* offline: lost\\u001b[2J");
  }

  @Test
  void whatATextDoesIsShownAsPlainText() {
    visit.state(ROOM, here("one"));
    Message first = new Text(ANN, "helo", "m-1", NOON, false, false, false, Extras.NONE, "");
    for (Extras extras :
        List.of(
            Extras.reply(first),
            Extras.edit(first),
            Extras.reaction(first),
            Extras.NONE.naming("app.vote", first))) {
      visit.message(ROOM, new Text(ANN, "x", "m-2", NOON, false, false, false, extras, ""));
    }
    visit.message(
        ROOM, new Text(ANN, "", "m-3", NOON, false, false, false, Extras.delete(first), ""));
    assertThat(lines())
        .containsExactly(
            "ann replies: x",
            "ann edits a message: x",
            "ann reacts: x",
            "ann (app.vote): x",
            "ann deletes a message");
  }

  @Test
  void disconnectIsPrintedOnceAndMissedMessagesShowTheirTime() {
    visit.state(ROOM, new State.Connecting() {});
    visit.state(ROOM, here("one"));
    assertThat(visit.awaitArrival()).isEmpty();
    visit.state(ROOM, new Waiting("lost", NOON));
    visit.state(ROOM, new Waiting("still lost", NOON));
    visit.state(ROOM, here("two"));
    visit.gap(ROOM, new Gap(NOON, null));
    visit.message(ROOM, new Text(ANN, "missed", "m-1", NOON, false, true, false, Extras.NONE, ""));
    visit.message(ROOM, new Text(ANN, "now", "m-2", NOON, false, false, false, Extras.NONE, ""));
    visit.message(ROOM, new Text(ANN, "mine", "m-3", NOON, true, false, false, Extras.NONE, ""));
    visit.people(ROOM, new Change(List.of(), List.of(ANN), 0));
    assertThat(lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("* offline: lost"),
            line -> assertThat(line).isEqualTo("* online again, server two"),
            line -> assertThat(line).isEqualTo("* some messages may be missing here"),
            line -> assertThat(line).matches("[0-9:]{8} ann: missed"),
            line -> assertThat(line).isEqualTo("ann: now"),
            line -> assertThat(line).isEqualTo("* ann LEAVE"));
  }

  @Test
  void signalsAreNotPrinted() {
    visit.state(ROOM, here("one"));
    visit.signal(ROOM, new Typing(ANN, "typing", "", NOON, false, Extras.ofKind("typing"), ""));
    assertThat(lines()).isEmpty();
  }

  @Test
  void failureOfTheFirstConnectionIsReturnedWithoutWaiting() {
    visit.state(ROOM, new Waiting("nobody", NOON));
    assertThat(visit.awaitArrival()).isEqualTo("nobody");
    assertThat(lines()).isEmpty();
  }

  @Test
  void roomThatStopsEndsTheProgram() {
    visit.state(ROOM, here("one"));
    visit.state(ROOM, new Stopped("taken over", Code.CLOSED, 4009));
    assertThat(stops).hasValue(1);
    visit.state(ROOM, new Stopped("of another user", Code.TOKEN, 0));
    assertThat(lines()).containsExactly("! 4009 taken over", "! TOKEN of another user");
  }
}
