package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** Members of one room who all send without a pause until their server ends their connections. */
final class TalkingRoom {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final List<ChatClient> members;
  private final List<Thread> talkers = new ArrayList<>();

  private TalkingRoom(List<ChatClient> members) {
    this.members = members;
  }

  /** Returns when all have joined and seen each other, before any sends. */
  static TalkingRoom joined(URI chat, int size) {
    List<ChatClient> members =
        IntStream.rangeClosed(1, size).mapToObj(user -> ChatClient.joined(chat, user)).toList();
    ChatClient last = members.getLast();
    for (ChatClient member : members) {
      if (!member.equals(last)) {
        member.awaitType("JOIN", size);
      }
    }
    return new TalkingRoom(members);
  }

  /** Lets all of them send; returns when a text of each was shown. */
  void talk() {
    members.forEach(member -> talkers.add(Thread.startVirtualThread(() -> talk(member))));
    Awaitility.await("all talk").atMost(PATIENCE).until(this::areAllHeard);
  }

  private boolean areAllHeard() {
    return IntStream.rangeClosed(1, members.size())
        .allMatch(user -> members.getFirst().hasReceived("TEXT", user));
  }

  private static void talk(ChatClient member) {
    try {
      for (int n = 1; !member.isClosed(); n++) {
        member.send("TEXT", Integer.toString(n));
      }
    } catch (CompletionException _) {
      // the connection has ended, as expected
    }
  }

  /**
   * Waits until every connection has ended, and checks how: with 1001 and a time to reconnect,
   * after everything that was accepted. All members have seen the same texts, each sender's in
   * order and without a hole, so no member missed a text that another one saw.
   */
  void assertDrained() throws InterruptedException {
    List<List<String>> seen = new ArrayList<>();
    for (ChatClient member : members) {
      ChatClient.Closed closed = member.awaitClosed();
      assertThat(closed.code()).as(closed.reason()).isEqualTo(1001);
      assertThat(closed.reason()).matches("reconnect after \\d{1,4} ms");
      seen.add(texts(member));
    }
    for (Thread talker : talkers) {
      talker.join();
    }
    assertThat(seen).allSatisfy(texts -> assertThat(texts).isEqualTo(seen.getFirst()));
    for (int user = 1; user <= members.size(); user++) {
      String prefix = user + " ";
      List<String> spoken = seen.getFirst().stream().filter(t -> t.startsWith(prefix)).toList();
      List<String> inOrder =
          IntStream.rangeClosed(1, spoken.size()).mapToObj(n -> prefix + n).toList();
      assertThat(spoken).hasSizeGreaterThanOrEqualTo(1).isEqualTo(inOrder);
    }
  }

  private static List<String> texts(ChatClient member) {
    List<String> texts = new ArrayList<>();
    for (String frame : member.received()) {
      JsonObject json = JsonParser.parseString(frame).getAsJsonObject();
      if (json.get("messageType").getAsString().equals("TEXT")) {
        texts.add(json.get("userId").getAsString() + " " + json.get("message").getAsString());
      }
    }
    return texts;
  }
}
