package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.Posts.Admitted;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class PostsTest {

  private static final RoomId ROOM = new RoomId("5");
  private static final ClientMessage TEXT =
      new ClientMessage(MessageType.TEXT, "17", "user17", "hello", "2026-11-20T18:46:00Z", "m-1");

  private static final Gate.Visitor VISITOR = TestEdge.visitor("192.0.2.1");

  private final FakeLanes lanes = new FakeLanes();
  private volatile boolean wasPaused;
  private final Posts posts = posts(2, 0);

  private Posts posts(int bound, int rate) {
    TestEdge config = new TestEdge().posts(bound).ratePerSecond(rate).wasPaused(() -> wasPaused);
    ConnectionContext context = config.context(lanes, new NoEdgeMeter());
    return new Posts(
        context, new ConnectionRegistry("server-1", 1, TestEdge.slots(10), context.leaves()));
  }

  private static Post accepted(Posts posts) {
    return ((Admitted.Accepted) posts.admit(TEXT, ROOM, VISITOR)).post();
  }

  private static ErrorFrame refused(Posts posts) {
    return ((Admitted.Refused) posts.admit(TEXT, ROOM, VISITOR)).error();
  }

  @Test
  void acceptedPostTravelsAsALineOfItsOwnSession() {
    Post post = accepted(posts);
    assertThat(lanes.text(0))
        .contains(
            "\"messageId\":\"m-1\"",
            "\"session\":\"" + post.connectionId() + "\"",
            "\"clientIp\":\"192.0.2.1\"");
    assertThat(accepted(posts).connectionId()).isNotEqualTo(post.connectionId());
  }

  @Test
  void messageWithoutIdGetsOne() {
    ClientMessage nameless =
        new ClientMessage(MessageType.TEXT, "17", "user17", "hello", "2026-11-20T18:46:00Z", null);
    Admitted admitted = posts.admit(nameless, ROOM, VISITOR);
    assertThat(((Admitted.Accepted) admitted).post().message().messageId()).hasSize(36);
  }

  @Test
  void fateEndsTheWaiting() {
    Post shown = accepted(posts);
    assertThat(shown.await(Duration.ZERO)).isEqualTo(Post.Outcome.UNKNOWN);
    lanes.fate(0).back();
    assertThat(shown.await(Duration.ZERO)).isEqualTo(Post.Outcome.SHOWN);
    Post late = accepted(posts);
    lanes.fate(1).dropped();
    assertThat(late.await(Duration.ZERO)).isEqualTo(Post.Outcome.NOT_TAKEN);
  }

  @Test
  void laneThatTakesNothingIsWaitedForAWhile() throws InterruptedException {
    lanes.taking = false;
    Thread poster = Thread.startVirtualThread(() -> accepted(posts));
    await().until(() -> !lanes.waiting.isEmpty());
    lanes.take();
    poster.join();
    assertThat(lanes.offered).hasSize(1);
    assertThat(posts.underWay()).isEqualTo(1);
  }

  @Test
  void postThatWaitedForItsLaneThroughAStandstillIsRefused() throws Exception {
    lanes.taking = false;
    FutureTask<ErrorFrame> refused = new FutureTask<>(() -> refused(posts));
    Thread.startVirtualThread(refused);
    await().until(() -> !lanes.waiting.isEmpty());
    wasPaused = true;
    lanes.take();
    assertThat(refused.get().text()).startsWith("the server is paused");
    assertThat(lanes.offered).isEmpty();
    assertThat(posts.underWay()).isZero();
  }

  @Test
  void slotIsHeldUntilTheFateIsKnownAndTheRequestIsAnswered() {
    Post first = accepted(posts);
    Post second = accepted(posts);
    ErrorFrame error = refused(posts);
    assertThat(error.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
    assertThat(error.text()).startsWith("2 posts are in flight");
    assertThat(error.retryAfterMillis()).isPositive();
    assertThat(error.messageId()).isEqualTo("m-1");
    first.answered();
    lanes.fate(1).back();
    assertThat(refused(posts).text()).startsWith("2 posts are in flight");
    lanes.fate(0).back();
    accepted(posts);
    second.answered();
    accepted(posts);
    assertThat(posts.underWay()).isEqualTo(2);
  }

  @Test
  void lineThatMayNeverComeBackHoldsNoSlot() {
    Post post = accepted(posts);
    post.answered();
    assertThat(posts.underWay()).isEqualTo(1);
    lanes.fate(0).unknown();
    assertThat(posts.underWay()).isZero();
  }

  @Test
  void nothingIsAcceptedWithoutTheBroker() {
    lanes.open = false;
    assertThat(refused(posts).code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
    assertThat(refused(posts).retryAfterMillis()).isEqualTo(250);
    assertThat(lanes.offered).isEmpty();
  }

  @Test
  void nothingIsAcceptedAfterTheStopAndWaitingRequestsCanBeReleased() {
    Post post = accepted(posts);
    posts.stop();
    assertThat(refused(posts).text()).contains("draining");
    assertThat(posts.areAnswered()).isFalse();
    posts.giveUp();
    assertThat(post.await(Duration.ofDays(1))).isEqualTo(Post.Outcome.UNKNOWN);
    post.answered();
    assertThat(posts.areAnswered()).isTrue();
  }
}
