package dev.chatflow.chat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.cli.OptionDefaults;
import dev.chatflow.client.fake.FakeServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the interactive chat: typed lines are sent, and received messages are shown. */
@Timeout(60)
final class ChatIT {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Properties userFile = new Properties();
  private Map<String, String> environment = Map.of();
  private String typed = "";

  private int run(String... arguments) {
    return Main.execute(
        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        new OptionDefaults(environment, userFile),
        arguments);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void typedLinesAreSentAndShownAndRoomsAreLeft() {
    typed = "hello\n\n/join other\nthere \"too\"\n/quit\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(run("--name", "ann", "--room", "one", server.url())).isZero();
    }
    assertThat(out())
        .containsSubsequence("room one as ann", "ann: hello", "room other", "ann: there \"too\"")
        .doesNotContain("* ann") // the user's JOIN and LEAVE are not shown
        .containsPattern("ann: hello  \\([0-9]+ ms\\)");
  }

  /** Such a command used to end the program with status 2. */
  @Test
  void wrongCommandPrintsAHintAndTheChatContinues() {
    typed = "/join a.b\n/join\n/frobnicate\n//etc/hosts\nstill here\n/quit\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(run("--name", "ann", "--room", "one", server.url())).isZero();
    }
    assertThat(out())
        .containsSubsequence(
            "! /join ROOM: a room has 1 to 64",
            "! /join ROOM",
            "! unknown command /frobnicate; /help lists the commands")
        .containsSubsequence("ann: /etc/hosts", "ann: still here")
        .doesNotContain("ann: /frobnicate");
  }

  @Test
  void overlongTextIsNotSentAndTheChatContinues() {
    typed = "x".repeat(501) + "\nshorter\n/quit\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(run("--user", "1", server.url())).isZero();
    }
    assertThat(out())
        .containsSubsequence(
            "! a text has 1 to 500 characters, this one has 501: split it", "user1: shorter");
  }

  @Test
  void endOfTheInputLeavesTheRoom() {
    typed = "bye\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(run("--user", "1", server.url())).isZero();
    }
    assertThat(out()).contains("user1: bye");
  }

  @Test
  void onlyServersAreReadFromTheUsersFile() {
    typed = "bye\n";
    try (FakeServer server = FakeServer.start()) {
      userFile.setProperty("server-url", server.url());
      userFile.setProperty("rooms", "7"); // only for the load client
      assertThat(run("--user", "1")).isZero();
    }
    assertThat(out()).contains("user1: bye");
  }

  @Test
  void misspelledVariableIsRejectedWithASuggestion() {
    environment = Map.of("CHATFLOW_CLIENT_TOKN", "eyJ");
    assertThat(run("ws://127.0.0.1:1/chat")).isEqualTo(2);
    assertThat(err())
        .contains("CHATFLOW_CLIENT_TOKN is not an option", "did you mean CHATFLOW_CLIENT_TOKEN");
  }

  @Test
  void unreachableServerExitsWithFive() {
    assertThat(run("ws://127.0.0.1:1/chat")).isEqualTo(5);
    assertThat(err())
        .contains("room 1 cannot be entered: the server does not answer: ConnectException");
  }

  @Test
  void roomInTheUrlExitsWithFiveAndAHint() {
    assertThat(run("ws://127.0.0.1:1/chat/7")).isEqualTo(5);
    assertThat(err()).contains("no connection: not found; a URL must have", "without a room");
  }

  @Test
  void commandsAreExplainedAndNotSent() {
    typed = "/help\nhello\n/leave\nafter the leave\n/quit\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(run("--user", "1", server.url())).isZero();
    }
    assertThat(out())
        .contains("room 1 as user1; /help lists the commands", "/join ROOM  leaves this room")
        .contains("user1: hello") // messages in flight are not lost at the end
        .contains("! LEFT the room was left")
        .doesNotContain("user1: /help", "user1: after the leave");
    assertThat(run("--help")).isZero();
    assertThat(out()).contains("Commands while you type:", "--history").doesNotContain("--by-room");
  }

  @Test
  void runsWithoutAUserIdGetDifferentOnes() {
    try (FakeServer server = FakeServer.start()) {
      for (int each = 0; each < 3; each++) {
        typed = "/quit\n";
        assertThat(run(server.url())).isZero();
      }
    }
    assertThat(out().lines().filter(line -> line.startsWith("room 1 as user")).distinct())
        .as("the chance of three equal ids is one in ten billion")
        .hasSizeGreaterThan(1);
  }

  @Test
  void rejectionNamesTheField() {
    typed = "/quit\n";
    try (FakeServer server = FakeServer.start()) {
      assertThat(run("--user", "0", server.url())).isZero();
    }
    assertThat(out()).contains("! VALIDATION_FAILED not accepted: userId is wrong");
  }

  @Test
  void wrongOptionsAreUsageErrors() {
    assertThat(run("--history", "101")).isEqualTo(2);
    assertThat(err()).contains("--history must be from 0 to 100");
    assertThat(run("--name", "  ")).isEqualTo(2);
    assertThat(err()).contains("user name must be 1 to 64 characters without control");
  }
}
