package dev.chatflow.server.edge;

import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import dev.chatflow.server.publish.OfferResult;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits messages published over HTTP to the lane of their room, with a limit on those in flight.
 *
 * <p>Thread-safe. Messages are accepted under a lock, so that after {@link #stop} none is accepted
 * that the drain does not wait for.
 */
public final class Posts {

  /** The result of an admission. */
  public sealed interface Admitted {

    /** It is in its lane, and sent until the broker has confirmed it. */
    record Accepted(Post post) implements Admitted {}

    /** It was rejected and nothing of it is kept. */
    record Refused(ErrorFrame error) implements Admitted {}
  }

  private static final Logger log = LoggerFactory.getLogger(Posts.class);
  private static final long RETRY_WHEN_FULL_MILLIS = 1_000;
  private static final String TOO_MANY_MUTES =
      "too many users of this shard are muted: try again when some mutes have ended";

  /** Maximum wait for a lane that accepts nothing now. */
  private static final long LANE_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final ConnectionContext context;
  private final ConnectionRegistry connections;
  private final Map<String, Post> underWay;

  // Guarded by this.
  private boolean stopped;

  /** Creates it; ids of posts come from {@code connections}. */
  public Posts(ConnectionContext context, ConnectionRegistry connections) {
    this.context = context;
    this.connections = connections;
    this.underWay = connections.posts();
  }

  /**
   * Accepts a message or returns the reason not to.
   *
   * @param message a valid TEXT
   * @param visitor the sender, who may enter the room
   */
  public Admitted admit(ClientMessage message, RoomId room, Gate.Visitor visitor) {
    if (message.type() != MessageType.TEXT) {
      throw new IllegalArgumentException("not a TEXT but a " + message.type());
    }
    String wrongUser = context.gate().refusalAs(visitor.identity(), message);
    if (wrongUser != null) {
      return new Admitted.Refused(refusal(ErrorCode.FORBIDDEN, wrongUser, message));
    }
    String silent = visitor.identity().refusalToSpeakIn(room);
    if (silent != null) {
      return new Admitted.Refused(refusal(ErrorCode.READ_ONLY, silent, message));
    }
    return publish(message, room, visitor);
  }

  /**
   * Mutes a user of a room, or returns the reason not to.
   *
   * @param seconds for how long; 0 ends a mute
   * @param visitor a moderator of the room
   */
  public Admitted mute(String userId, RoomId room, long seconds, Gate.Visitor visitor) {
    long until = seconds == 0 ? 0 : context.time().next() + TimeUnit.SECONDS.toMillis(seconds);
    String moderator = visitor.identity().user();
    log.info(
        "room {}: {} {}",
        room,
        moderator == null ? "a service" : "user " + moderator,
        seconds == 0
            ? "unmutes user " + userId
            : "mutes user " + userId + " for " + seconds + " s");
    return publish(ClientMessage.mute(userId, until, context.timer().millis()), room, visitor);
  }

  private Admitted publish(ClientMessage message, RoomId room, Gate.Visitor visitor) {
    if (!context.lanes().acceptsNew(room)) {
      return unavailable("the broker is unavailable: try again later", message);
    }
    return accept(new Post(stamped(message, room, visitor.address()), this));
  }

  ChatMessage stamped(ClientMessage message, RoomId room, String address) {
    ChatMessage.Origin origin =
        new ChatMessage.Origin(context.serverId(), connections.nextId(), address);
    return new ChatMessage(message.named(), room, context.timer().millis(), origin, false);
  }

  /** Accepts a message, waiting for a lane that is just being attached. */
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
    return unavailable("the broker is unavailable: try again later", post.message().content());
  }

  /** Offers the post; null if the lane accepts nothing now. */
  synchronized @Nullable Admitted offer(Post post) {
    ClientMessage content = post.message().content();
    if (stopped) {
      return unavailable("the server is draining: try another", content);
    }
    if (context.wasPaused().getAsBoolean()) {
      return unavailable("the server is paused: try another, or again later", content);
    }
    int bound = context.config().posts();
    if (underWay.size() >= bound) {
      String text = bound + " posts are in flight already: try again later";
      return refused(text, content, RETRY_WHEN_FULL_MILLIS);
    }
    underWay.put(post.connectionId(), post); // before its fate can be known
    if (context.lanes().offer(post.message().room(), post::line, post) == OfferResult.NOT_NOW) {
      underWay.remove(post.connectionId());
      return null;
    }
    // Above the lane's bound later posts are rejected, see Lanes.acceptsNew: nothing to wait for.
    context.meter().accepted();
    return new Admitted.Accepted(post);
  }

  /** Returns the rejection of a post that landed in the log too late. */
  public ErrorFrame late(Post post) {
    return refusal("it was not shown: send it again", post.message().content(), retryAfterMillis());
  }

  /** Returns the rejection of a post that was not shown because of a mute. */
  public ErrorFrame refused(Post post) {
    ClientMessage content = post.message().content();
    return content.isMute()
        ? refusal(TOO_MANY_MUTES, content, RETRY_WHEN_FULL_MILLIS)
        : muted(post.message().messageId(), context.timer().millis());
  }

  /** Returns the error for a message of a muted user. */
  static ErrorFrame muted(@Nullable String messageId, long nowMillis) {
    return ErrorFrame.refusal(
        ErrorCode.MUTED, "a moderator has muted you in this room", messageId, nowMillis);
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

  /** Returns the ms after which an unconfirmed post may be repeated. */
  public long retryAfterMillis() {
    return context.lanes().retryAfterMillis();
  }

  /** Returns the posts whose fate is unknown, or whose request is not answered. */
  public int underWay() {
    return underWay.size();
  }

  /** Returns whether every request was answered. */
  public boolean areAnswered() {
    return underWay.values().stream().allMatch(Post::isAnswered);
  }

  long nanoTime() {
    return context.timer().nanoTime();
  }

  void remove(Post post) {
    underWay.remove(post.connectionId());
  }

  /** Stops accepting posts. */
  public synchronized void stop() {
    stopped = true;
  }

  /** Ends the waiting of all requests: they are answered as not known yet. */
  public void giveUp() {
    underWay.values().forEach(Post::giveUp);
  }
}
