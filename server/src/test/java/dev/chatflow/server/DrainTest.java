package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.edge.ConnectionContext;
import dev.chatflow.server.edge.ConnectionRegistry;
import dev.chatflow.server.edge.NoEdgeMeter;
import dev.chatflow.server.edge.Peer;
import dev.chatflow.server.edge.PostPeer;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.edge.TestEdge;
import dev.chatflow.server.publish.LaneSender;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.publish.OfferResult;
import dev.chatflow.server.publish.WaitingLine;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which step of a drain waits for which condition, and what is given up when its time is over. */
class DrainTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final RoomId ROOM = new RoomId("5");
  private static final ClientMessage TEXT =
      new ClientMessage(MessageType.TEXT, "17", "user17", "hello", "2026-11-20T18:46:00Z", "m-1");

  private final Taking lanes = new Taking();
  private final ConnectionContext context = new TestEdge().context(lanes, new NoEdgeMeter());
  private final ConnectionRegistry connections =
      new ConnectionRegistry("server-1", 1, TestEdge.slots(10), context.leaves());
  private final Posts posts = new Posts(context, connections);
  private boolean empty = true;
  private boolean caughtUp = true;
  private boolean farewell = true;
  private final Drain drain =
      new Drain(
          new Drain.Parts(connections, posts, () -> empty, () -> farewell, () -> caughtUp),
          new ServerConfig.Drain(Duration.ofSeconds(2), Duration.ofSeconds(30)),
          0);

  /** Lanes that accept everything. */
  private static final class Taking implements Lanes {
    private @Nullable WaitingLine last;

    @Override
    public OfferResult offer(RoomId room, LongFunction<WaitingLine> line, LaneSender sender) {
      last = line.apply(1);
      return OfferResult.ACCEPTED;
    }

    /** Reports the last accepted line as read back. */
    void back() {
      Objects.requireNonNull(Objects.requireNonNull(last).fate()).back();
    }

    @Override
    public boolean acceptsNew(RoomId room) {
      return true;
    }

    @Override
    public void use(RoomId room) {}

    @Override
    public long openNanos(RoomId room, long nowNanos) {
      return nowNanos;
    }

    @Override
    public long retryAfterMillis() {
      return 250;
    }
  }

  private PostPeer post() {
    PostPeer post = new PostPeer(posts, TEXT, ROOM);
    assertThat(post.offer()).isTrue();
    return post;
  }

  @Test
  void serverWithoutConnectionsIsEmptyAtOnce() {
    assertThat(drain.step(0)).isTrue();
    assertThat(drain.isComplete()).isTrue();
  }

  @Test
  void nothingIsTakenOnceItHasBegun() {
    empty = false;
    assertThat(drain.step(0)).isFalse();
    assertThat(post().refusal()).isNotNull();
  }

  @Test
  void pendingAndUnshownMessagesAreWaitedFor() {
    empty = false;
    caughtUp = false;
    assertThat(drain.step(SECOND)).isFalse();
    empty = true;
    assertThat(drain.step(2 * SECOND)).isFalse();
    caughtUp = true;
    assertThat(drain.step(3 * SECOND)).isTrue();
    assertThat(drain.isComplete()).isTrue();
  }

  @Test
  void answersToPostsAreWaitedFor() {
    PostPeer post = post();
    assertThat(drain.step(SECOND)).isFalse();
    post.answered();
    assertThat(drain.step(2 * SECOND)).isTrue();
    assertThat(drain.isComplete()).isTrue();
  }

  @Test
  void leaveThatNoLaneTakesYetIsWaitedFor() {
    Peer.oweLeave(context, ROOM, 17);
    assertThat(drain.step(SECOND)).isFalse();
    lanes.back();
    assertThat(drain.step(2 * SECOND)).isTrue();
    assertThat(drain.isComplete()).isTrue();
  }

  @Test
  void itsFarewellIsWaitedForButNothingIsLostByIt() {
    farewell = false;
    assertThat(drain.step(SECOND)).isFalse();
    assertThat(drain.step(4 * SECOND)).isTrue();
    assertThat(drain.isComplete()).isTrue();
  }

  @Test
  void messagesNotShownInTimeAreGivenUpAndReported() {
    caughtUp = false;
    assertThat(drain.step(29 * SECOND)).isFalse();
    assertThat(drain.step(30 * SECOND)).isTrue();
    assertThat(drain.isShown()).isFalse();
    assertThat(drain.isComplete()).isFalse();
  }

  @Test
  void postsHaveAMomentForTheirAnswersWhenTheRestIsGivenUp() {
    empty = false;
    PostPeer post = post();
    assertThat(drain.step(30 * SECOND)).isFalse();
    post.answered();
    assertThat(drain.step(31 * SECOND)).isTrue();
    assertThat(drain.isComplete()).isFalse();
  }

  @Test
  void hurriedDrainWaitsForNothing() {
    empty = false;
    PostPeer _ = post();
    assertThat(drain.step(0)).isFalse();
    drain.hurry();
    assertThat(drain.step(0)).isTrue();
    assertThat(drain.isShown()).isFalse();
  }
}
