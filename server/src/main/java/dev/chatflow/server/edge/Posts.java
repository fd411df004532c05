package dev.chatflow.server.edge;

import dev.chatflow.consumer.room.Sessions.Sender;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.line.LineWriter;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.server.edge.admission.AddressRates;
import dev.chatflow.server.publish.Outgoing;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
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

  private final SessionContext context;
  private final SessionRegistry sessions;
  private final AddressRates rates;
  private final Map<String, Post> underWay = new ConcurrentHashMap<>();

  // Guarded by this.
  private boolean stopped;

  /** Makes it; ids of posts are of the same kind as those of {@code sessions}. */
  public Posts(SessionContext context, SessionRegistry sessions) {
    this.context = context;
    this.sessions = sessions;
    this.rates = new AddressRates(context.config().ratePerSecond());
  }

  /**
   * Counts a request of an address towards its rate, whatever it holds: called before it is read.
   *
   * @param nowNanos of {@link System#nanoTime}
   * @return the refusal of one too many, or null
   */
  public @Nullable ErrorFrame overRate(String address, long nowNanos) {
    long wait = rates.take(address, nowNanos);
    if (wait == 0) {
      return null;
    }
    String text = "more messages per second than allowed: try again later";
    long now = System.currentTimeMillis();
    return ErrorFrame.refusal(ErrorCode.RATE_LIMITED, text, null, now).retryAfter(wait);
  }

  /**
   * Takes a message, or says why not.
   *
   * @param message a TEXT that keeps all rules
   * @param address of the client
   */
  public Admitted admit(ClientMessage message, RoomId room, String address) {
    if (message.type() != MessageType.TEXT) {
      throw new IllegalArgumentException("not a TEXT but a " + message.type());
    }
    if (!context.lanes().acceptsNew(room)) {
      return unavailable("the broker is away: try again later", message);
    }
    return accept(new Post(stamped(message, room, address), shard(room), this));
  }

  private Shard shard(RoomId room) {
    return Shard.of(room, context.shards());
  }

  private ChatMessage stamped(ClientMessage message, RoomId room, String address) {
    ChatMessage.Origin origin =
        new ChatMessage.Origin(context.serverId(), sessions.nextId(), address);
    return new ChatMessage(message.named(), room, System.currentTimeMillis(), origin, false);
  }

  private Admitted accept(Post post) {
    ChatMessage message = post.message();
    Outgoing line =
        new Outgoing.Line(
            message.room(),
            LineWriter.line(message),
            message.messageId(),
            MessageType.TEXT,
            System.nanoTime(),
            post::confirm);
    synchronized (this) {
      if (stopped) {
        return unavailable("the server is draining: try another", message.content());
      }
      int bound = context.config().posts();
      if (underWay.size() >= bound) {
        String text = bound + " posts are under way already: try again later";
        return refused(
            ErrorCode.SERVICE_UNAVAILABLE, text, message.content(), RETRY_WHEN_FULL_MILLIS);
      }
      underWay.put(post.session(), post);
      // Above the lane's bound the next are refused, see Lanes.acceptsNew: nothing to wait for.
      boolean _ = context.lanes().offer(line, () -> {});
    }
    context.meter().accepted();
    return new Admitted.Accepted(post);
  }

  private Admitted unavailable(String text, ClientMessage message) {
    long wait = context.lanes().retryAfterMillis();
    return refused(ErrorCode.SERVICE_UNAVAILABLE, text, message, wait);
  }

  private Admitted refused(ErrorCode code, String text, ClientMessage message, long waitMillis) {
    long now = System.currentTimeMillis();
    ErrorFrame error = ErrorFrame.refusal(code, text, message.messageId(), now);
    return new Admitted.Refused(error.retryAfter(waitMillis));
  }

  /** After how many ms a post that is not confirmed yet may be repeated. */
  public long retryAfterMillis() {
    return context.lanes().retryAfterMillis();
  }

  /** Posts whose line has not come back, or whose request is not answered. */
  public int underWay() {
    return underWay.size();
  }

  /** Whether every request has its answer. */
  public boolean areAnswered() {
    return underWay.values().stream().allMatch(Post::isAnswered);
  }

  /** The post with this id, or null. */
  public @Nullable Sender find(String session) {
    return underWay.get(session);
  }

  void remove(Post post) {
    underWay.remove(post.session());
  }

  /** Lines of a shard may be missing: whoever waits for one has it counted as come back. */
  public void continuityLost(Shard shard) {
    underWay.values().stream()
        .filter(post -> Objects.equals(post.shard(), shard))
        .forEach(post -> post.cameBack(1));
  }

  /** Accepts nothing any more. */
  public synchronized void stop() {
    stopped = true;
  }

  /** Ends the waiting of all requests: they are told that their confirm is still to come. */
  public void giveUp() {
    underWay.values().forEach(Post::giveUp);
  }
}
