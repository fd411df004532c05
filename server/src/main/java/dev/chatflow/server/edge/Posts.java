package dev.chatflow.server.edge;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.publish.Offer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Admits messages published over HTTP to the lane of their room, at most so many under way.
 *
 * <p>Any thread. Acceptance happens under a lock, so that after {@link #stop} nothing is accepted
 * that the drain does not wait for.
 */
public final class Posts {

  /** What became of a message. */
  public sealed interface Admitted {

    /** It is in its lane, and sent until the broker has confirmed it. */
    record Accepted(Post post) implements Admitted {}

    /** It is not; nothing of it is kept. */
    record Refused(ErrorFrame error) implements Admitted {}
  }

  private static final long RETRY_WHEN_FULL_MILLIS = 1_000;

  /** For a lane that takes nothing now. */
  private static final long LANE_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final ConnectionContext context;
  private final ConnectionRegistry connections;
  private final Map<String, Post> underWay = new ConcurrentHashMap<>();

  // Guarded by this.
  private boolean stopped;

  /** Makes it; ids of posts are of the same kind as those of {@code connections}. */
  public Posts(ConnectionContext context, ConnectionRegistry connections) {
    this.context = context;
    this.connections = connections;
  }

  /**
   * Takes a message, or says why not.
   *
   * @param message a TEXT that keeps all rules
   * @param visitor who sends it, to whom the room is open
   */
  public Admitted admit(ClientMessage message, RoomId room, Gate.Visitor visitor) {
    if (message.type() != MessageType.TEXT) {
      throw new IllegalArgumentException("not a TEXT but a " + message.type());
    }
    String wrongUser = context.gate().refusalAs(visitor.identity(), message);
    if (wrongUser != null) {
      return new Admitted.Refused(refusal(ErrorCode.FORBIDDEN, wrongUser, message));
    }
    if (!context.lanes().acceptsNew(room)) {
      return unavailable("the broker is away: try again later", message);
    }
    return accept(new Post(stamped(message, room, visitor.address()), this));
  }

  ChatMessage stamped(ClientMessage message, RoomId room, String address) {
    ChatMessage.Origin origin =
        new ChatMessage.Origin(context.serverId(), connections.nextId(), address);
    return new ChatMessage(message.named(), room, context.timer().millis(), origin, false);
  }

  /** Waits a while for a lane that is just being attached. */
  private Admitted accept(Post post) {
    long end = context.timer().nanoTime() + LANE_PATIENCE_NANOS;
    try {
      do {
        Admitted answer = offer(post);
        if (answer != null) {
          return answer;
        }
      } while (post.awaitFree(end - context.timer().nanoTime()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return unavailable("the broker is away: try again later", post.message().content());
  }

  /** Null when the lane takes nothing now. */
  synchronized @Nullable Admitted offer(Post post) {
    ClientMessage content = post.message().content();
    if (stopped) {
      return unavailable("the server is draining: try another", content);
    }
    if (context.stoodStill().getAsBoolean()) {
      return unavailable(
          "the server is back from a standstill: try another, or again later", content);
    }
    int bound = context.config().posts();
    if (underWay.size() >= bound) {
      String text = bound + " posts are under way already: try again later";
      return refused(text, content, RETRY_WHEN_FULL_MILLIS);
    }
    underWay.put(post.connectionId(), post); // before its fate can be known
    if (context.lanes().offer(post.message().room(), post::line, post) == Offer.NOT_NOW) {
      underWay.remove(post.connectionId());
      return null;
    }
    // Above the lane's bound the next are refused, see Lanes.acceptsNew: nothing to wait for.
    context.meter().accepted();
    return new Admitted.Accepted(post);
  }

  /** The refusal of a post that stands in the log too late. */
  public ErrorFrame late(Post post) {
    return refusal("it was not shown: send it again", post.message().content(), retryAfterMillis());
  }

  private Admitted unavailable(String text, ClientMessage message) {
    return refused(text, message, retryAfterMillis());
  }

  private Admitted refused(String text, ClientMessage message, long waitMillis) {
    return new Admitted.Refused(refusal(text, message, waitMillis));
  }

  private ErrorFrame refusal(String text, ClientMessage message, long waitMillis) {
    return refusal(ErrorCode.SERVICE_UNAVAILABLE, text, message).retryAfter(waitMillis);
  }

  private ErrorFrame refusal(ErrorCode code, String text, ClientMessage message) {
    return ErrorFrame.refusal(code, text, message.messageId(), context.timer().millis());
  }

  /** After how many ms a post that is not confirmed yet may be repeated. */
  public long retryAfterMillis() {
    return context.lanes().retryAfterMillis();
  }

  /** Posts whose fate is not known, or whose request is not answered. */
  public int underWay() {
    return underWay.size();
  }

  /** Whether every request has its answer. */
  public boolean areAnswered() {
    return underWay.values().stream().allMatch(Post::isAnswered);
  }

  long nanoTime() {
    return context.timer().nanoTime();
  }

  void remove(Post post) {
    underWay.remove(post.connectionId());
  }

  /** Accepts nothing any more. */
  public synchronized void stop() {
    stopped = true;
  }

  /** Ends the waiting of all requests: they are told that it is not known yet. */
  public void giveUp() {
    underWay.values().forEach(Post::giveUp);
  }
}
