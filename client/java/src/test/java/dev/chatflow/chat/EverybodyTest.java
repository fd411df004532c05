package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that all members are read page by page. */
class EverybodyTest {

  private static final String FIRST = "?limit=1000";

  private final Scene scene = Scene.joined();

  @BeforeEach
  void pages() {
    scene.members.put(FIRST, page("\"next\":\"5@x\",", "4", "5@x"));
    scene.members.put(FIRST + "&after=5%40x", page("", "6"));
  }

  private static String page(String next, String... users) {
    StringBuilder members = new StringBuilder();
    for (String user : users) {
      members.append(members.isEmpty() ? "" : ",");
      members.append("{\"userId\":\"%1$s\",\"username\":\"user%1$s\"}".formatted(user));
    }
    return "{\"count\":3,%s\"members\":[%s]}".formatted(next, members);
  }

  @Test
  void membersOfAllPagesAreReturned() {
    assertThat(scene.room.everybody())
        .containsExactly(
            new Values.MemberValue("4", "user4", null),
            new Values.MemberValue("5@x", "user5@x", null),
            new Values.MemberValue("6", "user6", null));
  }

  @Test
  void emptyRoomHasNoMembers() {
    scene.members.put(FIRST, page(""));
    assertThat(scene.room.everybody()).isEmpty();
  }

  @Test
  void nextPageIsRequestedWhenTheStreamReachesIt() {
    scene.members.remove(FIRST + "&after=5%40x");
    assertThat(scene.room.everybody().limit(2)).hasSize(2);
    Iterator<Member> members = scene.room.everybody().iterator();
    assertThat(members.next().id()).isEqualTo("4");
    assertThat(members.next().id()).isEqualTo("5@x");
    assertThatThrownBy(members::hasNext)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void firstPageThatCannotBeReadFailsTheCall() {
    scene.members.clear();
    assertThatThrownBy(scene.room::everybody).hasRootCauseMessage("no answer");
  }
}
