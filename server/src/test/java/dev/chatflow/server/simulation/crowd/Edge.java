package dev.chatflow.server.simulation.crowd;

import dev.chatflow.delivery.RoomTakers;
import dev.chatflow.identity.Access;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.LogReceiver;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.Line;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.UserIds;
import dev.chatflow.presence.PresenceLimit;
import dev.chatflow.presence.PresenceMeter;
import dev.chatflow.presence.ShardPresence;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FanOut;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Rooms;
import dev.chatflow.room.RoomsConfig;
import dev.chatflow.room.Shard;
import dev.chatflow.room.SimulatedFanOut;
import dev.chatflow.room.SmallRooms;
import dev.chatflow.server.DrainSteps;
import dev.chatflow.server.PauseWatch;
import dev.chatflow.server.edge.Addresses;
import dev.chatflow.server.edge.ConnectionContext;
import dev.chatflow.server.edge.ConnectionRegistry;
import dev.chatflow.server.edge.NoEdgeMeter;
import dev.chatflow.server.edge.Peer;
import dev.chatflow.server.edge.PendingLeaves;
import dev.chatflow.server.edge.Post;
import dev.chatflow.server.edge.PostPeer;
import dev.chatflow.server.edge.Posts;
import dev.chatflow.server.edge.TestEdge;
import dev.chatflow.server.publish.LaneSender;
import dev.chatflow.server.publish.Lanes;
import dev.chatflow.server.publish.OfferResult;
import dev.chatflow.server.publish.WaitingLine;
import dev.chatflow.server.simulation.plan.Met.What;
import dev.chatflow.server.simulation.world.Clock;
import dev.chatflow.server.simulation.world.Guests;
import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.World;
import dev.chatflow.server.sink.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The product's rooms and connections of one server, in simulated time. */
public final class Edge implements Guests {

  static final RoomId ROOM = new RoomId("5");

  private static final Shard SHARD = new Shard(0);
  private static final int WINDOW = 6;
  private static final RoomsConfig ROOMS =
      new RoomsConfig(1, 512 << 10, 1 << 20, 256 << 10, 8 << 10, Duration.ofSeconds(5));
  private static final int PRESENCE_LIMIT = 1_000;
  private static final long TICK_NANOS = 250 * Clock.MILLI;
  private static final long DRAIN_LOOK_NANOS = 5 * Clock.MILLI;
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(15);
  private static final long POST_LOOK_NANOS = 20 * Clock.MILLI;
  private static final Duration LANE_PATIENCE = Duration.ofSeconds(3);
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(10);

  private final World world;
  private final SimulatedServer server;
  private final Rooms rooms;
  private final ConnectionRegistry connections;
  private final ConnectionContext context;
  private final ShardPresence presence;
  private final LogReceiver taker;
  private final PauseWatch pause;
  private final Posts posts;
  private final PendingLeaves leaves;
  private final List<Socket> sockets = new ArrayList<>();
  private @Nullable DrainSteps drain;
  private Runnable drained = () -> {};
  private boolean over;
  private long nextTick;
  private long nextLook;

  Edge(World world, SimulatedServer server) {
    this.world = world;
    this.server = server;
    FanOut fanOut = SimulatedFanOut.of(world.clock()::now, server::later);
    rooms = SmallRooms.of(ROOMS, fanOut);
    Lanes lanes = new OneLane();
    Timer timer = new ServerTime();
    leaves = new PendingLeaves(lanes, timer, server.name(), server.boot(), 1, _ -> false);
    connections =
        new ConnectionRegistry(server.name(), server.boot(), TestEdge.slots(1_000), leaves);
    pause = new PauseWatch(world.clock()::now, () -> connections.tellAll(CloseReason.COME_BACK));
    context =
        new ConnectionContext(
            server.name(),
            1,
            new TestEdge().window(WINDOW).userIds(UserIds.STRING).config(),
            lanes,
            leaves,
            TestEdge.gate(Access.open(), System::currentTimeMillis),
            connections.joins(),
            new Addresses(0),
            _ -> false,
            server.time(),
            timer,
            pause::isJustOver,
            new NoEdgeMeter());
    posts = new Posts(context, connections);
    presence =
        new ShardPresence(
            server.lane(), leaves, new PresenceLimit(PRESENCE_LIMIT), PresenceMeter.NONE);
    taker = RoomTakers.of(SHARD, rooms, connections, presence);
  }

  private final class OneLane implements Lanes {
    @Override
    public OfferResult offer(RoomId room, LongFunction<WaitingLine> line, LaneSender sender) {
      OfferResult offer = server.lane().offer(read -> taken(line.apply(read)), sender);
      if (offer == OfferResult.NOT_NOW) {
        server.use();
      }
      return offer;
    }

    /** Checks that a line is not older than these windows after a pause of the process. */
    private WaitingLine taken(WaitingLine line) {
      world.check(
          line.type() == MessageType.LEAVE || !pause.isJustOver(),
          () -> server + " takes " + line.type() + " just after a standstill");
      return line;
    }

    @Override
    public boolean acceptsNew(RoomId room) {
      return server.isConnected() && server.lane().belowBound();
    }

    @Override
    public void use(RoomId room) {
      server.use();
    }

    @Override
    public long openNanos(RoomId room, long nowNanos) {
      return nowNanos;
    }

    @Override
    public long retryAfterMillis() {
      return 250;
    }
  }

  private final class ServerTime implements Timer {
    @Override
    public long nanoTime() {
      return world.clock().now();
    }

    @Override
    public long millis() {
      return server.startMillis() + world.clock().now() / Clock.MILLI;
    }

    @Override
    public void after(Duration delay, Runnable task) {
      server.later(delay.toNanos(), task);
    }

    @Override
    public void parking(Runnable task) {
      server.later(0, task);
    }
  }

  @Override
  public ShardPresence presence() {
    return presence;
  }

  // --- connections

  /** Opens a connection after a delay. */
  void comes(Socket socket) {
    sockets.add(socket);
  }

  /** Accepts a connection, or returns null. */
  @Nullable Peer open(Socket socket) {
    return pause.isJustOver() || isDraining()
        ? null
        : Peer.open(connections, context, ROOM, socket, socket);
  }

  void gone(Socket socket) {
    sockets.remove(socket);
  }

  int open() {
    return connections.size();
  }

  @Override
  public void killed() {
    List.copyOf(sockets).forEach(Socket::serverDied);
  }

  @Override
  public boolean areSettled() {
    return rooms.areCaughtUp() && posts.underWay() == 0 && !isDraining();
  }

  /** Steps the threads that let time pass. */
  @Override
  public long step(long now) {
    long wait = Math.min(stepDrain(now), Long.MAX_VALUE - now);
    if (now >= nextTick) {
      nextTick = now + TICK_NANOS;
      rooms.tick();
    }
    if (now >= nextLook) {
      nextLook = now + PauseWatch.tickNanos();
      pause.tick();
    }
    return Math.min(wait, Math.min(nextTick, nextLook) - now);
  }

  // --- stopping

  @Override
  public boolean drain(Runnable over) {
    if (isDraining()) {
      return false;
    }
    drained = over;
    drain =
        new DrainSteps(
            connections,
            posts,
            server.lane()::isIdle,
            server.lane()::farewell,
            rooms::areCaughtUp,
            DRAIN_TIMEOUT,
            world.clock().now());
    return true;
  }

  /** Returns the ns until its next step. */
  private long stepDrain(long now) {
    DrainSteps draining = drain;
    if (draining == null || over) {
      return Long.MAX_VALUE;
    }
    if (draining.step(now)) {
      over = true;
      world.met().count(draining.isComplete() ? What.DRAINED : What.DRAIN_GAVE_UP);
      world.note(() -> server + " has drained" + (draining.isComplete() ? "" : ", and gave up"));
      drained.run();
      return Long.MAX_VALUE;
    }
    return DRAIN_LOOK_NANOS;
  }

  /** Returns whether it accepts no clients any more. */
  boolean isDraining() {
    return drain != null;
  }

  /** Returns whether it stopped without giving anything up. */
  public boolean isDrained() {
    DrainSteps draining = drain;
    return over && draining != null && draining.isComplete();
  }

  // --- requests

  /** Handles the request of a moderator to remove a user. */
  void remove(String userId) {
    if (presence.isComplete()) {
      presence.of(ROOM).devices(userId).forEach(member -> leaves.remove(ROOM, member));
    }
  }

  /** Handles the request of a moderator to mute a user, whose client does not wait. */
  void mute(String userId, int seconds) {
    long until = seconds == 0 ? 0 : context.time().next() + 1_000L * seconds;
    ClientMessage mute = ClientMessage.mute(userId, until, context.timer().millis());
    PostPeer post = new PostPeer(posts, mute, ROOM);
    if (!isDraining() && context.lanes().acceptsNew(ROOM) && post.offer()) {
      post.answered();
    }
  }

  /** Handles a request like the servlet; a waiting request is repeated here instead. */
  void post(Poster.Attempt attempt, Poster poster, int number) {
    if (isDraining() || !context.lanes().acceptsNew(ROOM)) {
      poster.told(attempt, null, number);
      return;
    }
    PostPeer post = new PostPeer(posts, attempt.message(), ROOM);
    offer(post, attempt, poster, number, world.clock().now() + LANE_PATIENCE.toNanos());
  }

  /** Returns the posts whose fate is unknown, or whose request is not answered. */
  public int posts() {
    return posts.underWay();
  }

  private void offer(
      PostPeer post, Poster.Attempt attempt, Poster poster, int number, long endNanos) {
    if (post.offer()) {
      if (post.refusal() == null) {
        poster.taken(attempt, post.connectionId());
        await(post, attempt, poster, number, world.clock().now() + ANSWER_PATIENCE.toNanos());
      } else {
        poster.told(attempt, null, number);
      }
    } else if (world.clock().now() < endNanos) {
      server.later(POST_LOOK_NANOS, () -> offer(post, attempt, poster, number, endNanos));
    } else {
      poster.told(attempt, null, number);
    }
  }

  private void await(
      PostPeer post, Poster.Attempt attempt, Poster poster, int number, long endNanos) {
    if (post.outcome() == Post.Outcome.UNKNOWN && world.clock().now() < endNanos) {
      server.later(POST_LOOK_NANOS, () -> await(post, attempt, poster, number, endNanos));
    } else {
      poster.told(attempt, post.outcome(), number);
      post.answered();
    }
  }

  // --- entries for the rooms

  @Override
  public boolean hasSpace(Line.Message line) {
    return taker.hasSpace(line);
  }

  @Override
  public @Nullable String take(Line.Message line, LineVerdict verdict, Source source) {
    return taker.take(line, verdict, source);
  }

  @Override
  public void pastRestarts() {
    taker.pastRestarts();
  }

  @Override
  public void taken(Arrival arrival, int lines, Source source) {
    taker.taken(arrival, lines, source);
  }

  @Override
  public void ownLate() {
    taker.ownLate();
  }

  @Override
  public void attached() {
    taker.attached();
  }

  @Override
  public void lost(String why) {
    List.copyOf(sockets).forEach(Socket::doom);
    taker.lost(why);
  }

  @Override
  public void detached() {
    taker.detached();
  }

  @Override
  public boolean isNeeded() {
    return taker.isNeeded();
  }
}
