package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.FakeServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A person at the prompt: what is typed is sent, what comes is shown. */
@Timeout(60)
final class ChatIT {
  private final Terminal terminal = new Terminal();

  @Test
  void typedLinesAreSentAndShownAndRoomsAreLeft() {
    terminal.typed = "hello\n\n/join other\nthere \"too\"\n/quit\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("chat", "--name", "ann", "--room", "one", server.url())).isZero();
    }
    assertThat(terminal.out())
        .containsSubsequence("* ann JOIN", "ann: hello", "* ann JOIN", "ann: there \"too\"")
        .containsPattern("ann: hello  \\([0-9]+ ms\\)");
  }

  @Test
  void endOfTheInputLeaves() {
    terminal.typed = "bye\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("chat", server.url())).isZero();
    }
    assertThat(terminal.out()).contains("user1: bye");
  }

  @Test
  void nobodyThereIsExitFive() {
    assertThat(terminal.run("chat", "ws://127.0.0.1:1/chat")).isEqualTo(5);
    assertThat(terminal.err())
        .contains("no connection: connection refused")
        .doesNotContain("internal error");
  }

  @Test
  void roomInTheUrlIsExitFiveWithAHint() {
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("chat", server.url() + "/7")).isEqualTo(5);
    }
    assertThat(terminal.err())
        .contains("no connection: HTTP/1.1 400 Bad Request; a URL must name", "and no room");
  }

  @Test
  void commandsAreExplainedAndNotSent() {
    terminal.typed = "/help\nhello\n/quit\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("chat", server.url())).isZero();
    }
    assertThat(terminal.out())
        .contains("room 1 as user1; /help lists the commands", "/join ROOM  leaves this room")
        .contains("user1: hello", "* user1 LEAVE") // nothing on its way is dropped at the end
        .doesNotContain("user1: /help");
    assertThat(terminal.run("chat", "--help")).isZero();
    assertThat(terminal.out()).contains("Commands while you type:");
  }

  @Test
  void refusalNamesTheField() {
    terminal.typed = "/quit\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(terminal.run("chat", "--user", "0", server.url())).isZero();
    }
    assertThat(terminal.out()).contains("! VALIDATION_FAILED refused (userId: is wrong");
  }
}
