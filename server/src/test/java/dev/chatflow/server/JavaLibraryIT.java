package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.broker.testing.EmbeddedTest;
import dev.chatflow.broker.testing.TestBroker;
import dev.chatflow.chat.ChatFlow;
import dev.chatflow.chat.Listener;
import dev.chatflow.chat.Message;
import dev.chatflow.chat.Receipt;
import dev.chatflow.chat.Room;
import dev.chatflow.chat.State;
import dev.chatflow.chat.User;
import dev.chatflow.server.launch.LaunchedWar;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;

/** The Java library against real servers; its own tests use a fake clock. */
class JavaLibraryIT {

  private static final int MEMBERS = 4;
  private static final int TEXTS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** A program in the room, with the texts shown to it and the results of its sends. */
  private static final class Member implements Listener, AutoCloseable {

    final List<String> seen = new CopyOnWriteArrayList<>();
    final List<String> trouble = new CopyOnWriteArrayList<>();
    final List<CompletableFuture<Message>> sent = new ArrayList<>();
    final ChatFlow chat;
    final Room room;
    private final int number;

    Member(int number, int port, String room) {
      this.number = number;
      this.chat =
          ChatFlow.to(URI.create("http://127.0.0.1:" + port))
              .user(Integer.toString(number), "member" + number)
              .history(0)
              .build();
      this.room = chat.join(room, this);
    }

    void talk() {
      for (int i = 0; i < TEXTS; i++) {
        sent.add(room.send(number + "-" + sent.size()));
      }
    }

    boolean isHere() {
      return room.state() instanceof State.Here;
    }

    boolean isSettled() {
      return isHere() && sent.stream().allMatch(CompletableFuture::isDone);
    }

    @Override
    public void message(Room from, Message message) {
      seen.add(message.text());
    }

    @Override
    public void state(Room from, State state) {
      if (state instanceof State.Stopped stopped) {
        trouble.add(stopped.why());
      }
    }

    @Override
    public void gap(Room from, Room.Gap gap) {
      trouble.add("gap");
    }

    @Override
    public void close() {
      chat.close();
    }
  }

  @TempDir Path temporary;
  private final List<Member> members = new ArrayList<>();
  private int posted;

  /** Each member sees exactly the room's texts, in order, despite faults of servers and broker. */
  @EmbeddedTest
  void nothingIsLostOrRepeatedThroughAKillABrokerOutageAndADrain(TestBroker broker)
      throws Exception {
    String room = "java-library";
    try (TestServer second = TestServer.start(broker.uri(), "two");
        TcpProxy way = TcpProxy.to()) {
      try (LaunchedWar first = launched(broker)) {
        await().atMost(PATIENCE).until(first::isReady);
        way.alsoTo(URI.create(first.url(1, "page").orElseThrow()).getPort());
        IntStream.rangeClosed(1, MEMBERS)
            .mapToObj(i -> new Member(i, i % 2 == 0 ? second.port() : way.port(), room))
            .forEach(members::add);
        await().atMost(PATIENCE).until(() -> members.stream().allMatch(Member::isHere));
        talk();
        first.kill();
      }
      way.onlyTo(second.port());
      talk();
      settle();
      broker.goAway();
      talk();
      CompletableFuture<Receipt> receipt = members.getFirst().chat.post(room, "posted", "key-1");
      broker.comeBack();
      assertThat(receipt.join().id()).isEqualTo("key-1");
      members.getLast().chat.post(room, "another", "key-2").join();
      posted = 2;
      settle();
      try (TestServer third = TestServer.start(broker.uri(), "three")) {
        way.onlyTo(third.port());
        way.cut();
        way.restore();
        settle();
        assertServer(members.getFirst().room, "three");
        talk();
        way.onlyTo(second.port());
      }
      talk();
      settle();
      judge(RoomOrder.texts(second, room));
    } finally {
      members.forEach(Member::close);
    }
  }

  /** Each JOIN waits for the LEAVE before it, so no connection is closed with 4009. */
  @EmbeddedTest
  void lastOfLeaveAndJoinCounts(TestBroker broker) throws Exception {
    String room = "last-call";
    try (TestServer server = TestServer.start(broker.uri(), "one");
        Member other = new Member(1, server.port(), room);
        Member restless = new Member(2, server.port(), room)) {
      CompletableFuture.allOf(other.room.entered(), restless.room.entered())
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      Room joined = restless.room;
      Message last = null;
      for (int i = 0; i < TEXTS; i++) {
        CompletableFuture<Void> left = joined.leave();
        joined = restless.chat.join(room, restless);
        last = joined.send("text " + i).join();
        assertThat(left).isCompleted();
      }
      assertServer(joined, "one");
      assertThat(restless.trouble).isEmpty();
      await().atMost(PATIENCE).until(() -> other.seen.size() == TEXTS);
      assertThat(other.room.people().names()).containsOnlyKeys("1", "2");
      assertThat(other.room.everybody()).extracting(User::name).containsOnly("member1", "member2");
      List<String> before = other.seen.subList(0, TEXTS - 1);
      assertThat(textsOf(joined.older(100))).isEqualTo(before);
      assertThat(textsOf(joined.older(100, Objects.requireNonNull(last)))).isEqualTo(before);
    }
  }

  private static void assertServer(Room room, String id) {
    assertThat(room.state())
        .isInstanceOfSatisfying(State.Here.class, here -> assertThat(here.server()).isEqualTo(id));
  }

  private static List<String> textsOf(CompletableFuture<List<Message>> messages) {
    return messages.join().stream().map(Message::text).toList();
  }

  private LaunchedWar launched(TestBroker broker) throws Exception {
    Map<String, String> settings =
        Map.of("CHATFLOW_AMQP_URI", broker.uri().toString(), "CHATFLOW_SERVER_ID", "one");
    return LaunchedWar.start(temporary, settings, "--port=0", "--admin-port=0");
  }

  private void talk() {
    members.forEach(Member::talk);
  }

  private void settle() {
    int said = posted + members.stream().mapToInt(member -> member.sent.size()).sum();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(members)
                .allSatisfy(member -> {
                  assertThat(member.isSettled()).isTrue();
                  assertThat(member.seen).hasSize(said);
                }));
  }

  private void judge(List<String> order) {
    assertThat(order).doesNotHaveDuplicates().contains("posted", "another");
    assertThat(members)
        .allSatisfy(member -> {
          assertThat(member.seen).isEqualTo(order);
          assertThat(member.trouble).isEmpty();
          assertThat(member.room.people().count()).isEqualTo(MEMBERS);
          assertThat(member.room.people().names()).containsOnlyKeys("1", "2", "3", "4");
          assertThat(member.sent)
              .allSatisfy(sent -> assertThat(sent).isCompleted().isNotCompletedExceptionally());
        });
  }
}
