package dev.chatflow.server.simulation.lines;

import dev.chatflow.log.Arrival;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.Extras;
import dev.chatflow.message.Line;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageType;
import dev.chatflow.presence.OrphanedLeaves;
import dev.chatflow.presence.Person;
import dev.chatflow.presence.PresenceLimit;
import dev.chatflow.presence.PresenceMeter;
import dev.chatflow.presence.ShardPresence;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import dev.chatflow.server.publish.OfferResult;
import dev.chatflow.server.publish.WaitingLine;
import dev.chatflow.server.simulation.plan.Met.What;
import dev.chatflow.server.simulation.plan.Step;
import dev.chatflow.server.simulation.world.Guests;
import dev.chatflow.server.simulation.world.ReportedFate;
import dev.chatflow.server.simulation.world.ReportedFate.Word;
import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The users connected to one server, their lines, and the results. */
public final class Users implements Guests {

  private static final RoomId ROOM = new RoomId("5");
  private static final int USERS = 5;
  private static final int PRESENCE_LIMIT = 1_000;
  private static final long FOREVER_NANOS = TimeUnit.DAYS.toNanos(1);
  private static final String TIME = "2026-11-22T10:00:00Z";

  private record Connection(UserDevice who, String connectionId, long stamp) {}

  private record Key(String connectionId, String messageId) {}

  private final World world;
  private final SimulatedServer server;
  private final List<Connection> connections = new ArrayList<>();

  /** Connections whose LEAVE was published; it may be published again. */
  private final List<Connection> left = new ArrayList<>();

  private final List<ReportedFate> taken = new ArrayList<>();

  /** Lines that are not back, by content; a text may be sent again before it is back. */
  private final Map<Key, ArrayDeque<ReportedFate>> underWay = new HashMap<>();

  private final ShardPresence presence;

  private int connectionIds;
  private int lateUpTo;

  Users(World world, SimulatedServer server) {
    this.world = world;
    this.server = server;
    this.presence =
        new ShardPresence(
            server.lane(), new Bearer(), new PresenceLimit(PRESENCE_LIMIT), PresenceMeter.NONE);
  }

  /** Publishes the LEAVEs of lost servers. */
  private final class Bearer implements OrphanedLeaves {
    @Override
    public boolean isBusy() {
      return server.lane().bytes() > 0;
    }

    @Override
    public void leaves(RoomId room, Person person) {
      ClientMessage content =
          new ClientMessage(MessageType.LEAVE, person.who().userId(), "user", "", TIME, "gone");
      ChatMessage.Origin origin =
          new ChatMessage.Origin(
              person.lane().serverId(),
              person.connectionId(),
              "",
              person.stamp(),
              person.who().device());
      byte[] bytes = LineWriter.line(new ChatMessage(content, room, 0, origin, true));
      world.met().count(What.BURIED);
      var _ =
          server
              .lane()
              .offer(
                  read ->
                      new WaitingLine(
                          room, bytes, "gone", MessageType.LEAVE, read, world.clock().now(), null),
                  () -> {});
    }
  }

  @Override
  public ShardPresence presence() {
    return presence;
  }

  void act(Step step) {
    boolean odd = (step.value() >>> 40 & 3) == 0;
    if (step.action() == Step.Action.LEAVE && odd && !left.isEmpty()) {
      offer(MessageType.LEAVE, left.get(step.below(left.size())), false);
      return;
    }
    if (step.action() == Step.Action.JOIN || connections.isEmpty()) {
      server.use();
      join(user(step.below(USERS)));
      return;
    }
    Connection connection = connections.get(step.below(connections.size()));
    if (step.action() == Step.Action.LEAVE) {
      connections.remove(connection);
      left.add(connection);
      offer(MessageType.LEAVE, connection, false);
    } else if ((step.value() >>> 44 & 3) == 0) {
      offer(MessageType.SIGNAL, connection, false);
    } else {
      offer(MessageType.TEXT, connection, odd);
    }
  }

  /** Returns a user; the last two are devices of one. */
  private static UserDevice user(int number) {
    String id = Character.toString('a' + Math.min(number, USERS - 2));
    return new UserDevice(id, number < USERS - 2 ? "" : "d" + number);
  }

  private void join(UserDevice who) {
    String connectionId = server.name() + "-" + server.boot() + "-" + connectionIds++;
    long[] stamp = new long[1];
    OfferResult offer =
        server
            .lane()
            .offer(
                read -> {
                  stamp[0] = stamp();
                  return line(
                      MessageType.JOIN, new Connection(who, connectionId, stamp[0]), false, read);
                },
                () -> {});
    if (offer != OfferResult.NOT_NOW) {
      accepted();
      connections.add(new Connection(who, connectionId, stamp[0]));
    }
  }

  private long stamp() {
    long stamp = server.time().next();
    world.check(
        stamp > server.witness().highestStamp(),
        () -> server + " stamps a JOIN below one that it has read");
    return stamp;
  }

  private void offer(MessageType type, Connection connection, boolean again) {
    OfferResult offer = server.lane().offer(read -> line(type, connection, again, read), () -> {});
    if (offer != OfferResult.NOT_NOW) {
      accepted();
    }
  }

  /** Checks that after a late entry nothing is accepted until everything sent before is back. */
  private void accepted() {
    for (int i = 0; i < lateUpTo; i++) {
      ReportedFate each = taken.get(i);
      world.check(
          each.word() != null, () -> server + " takes lines before " + each.id() + " is back");
    }
    lateUpTo = 0;
  }

  private WaitingLine line(MessageType type, Connection connection, boolean again, long read) {
    String id = "m" + world.nextId();
    ReportedFate told = new ReportedFate(world, id, read, () -> server.logs().isOvertaken());
    taken.add(told);
    String shown = again ? "again" + connection.who.userId() : id;
    String text = type == MessageType.TEXT ? shown : "";
    underWay
        .computeIfAbsent(new Key(connection.connectionId, shown), _ -> new ArrayDeque<>())
        .add(told);
    world.note(() -> server + " takes " + type + " " + connection + " as " + id);
    Extras extras = extras(type, connection.who.userId(), shown);
    ClientMessage content =
        new ClientMessage(type, connection.who.userId(), "user", text, TIME, shown, extras);
    ChatMessage.Origin origin =
        new ChatMessage.Origin(
            server.name(), connection.connectionId, "", connection.stamp, connection.who.device());
    byte[] bytes = LineWriter.line(new ChatMessage(content, ROOM, 0, origin, false));
    return new WaitingLine(ROOM, bytes, id, type, read, world.clock().now(), told);
  }

  private static Extras extras(MessageType type, String user, String id) {
    return switch (type) {
      case TEXT -> extras(user, id);
      case SIGNAL -> new Extras("typing", null, null);
      case JOIN -> new Extras(null, null, "{\"of\":\"" + id + "\"}");
      case LEAVE -> Extras.NONE;
    };
  }

  /** Every third text carries data, every other third edits an earlier one. */
  private static Extras extras(String user, String id) {
    return switch (Math.floorMod(id.hashCode(), 3)) {
      case 0 -> new Extras(null, null, "{\"of\":\"" + id + "\"}");
      case 1 -> new Extras("edit", new Extras.Ref(user, "m1"), null);
      default -> Extras.NONE;
    };
  }

  @Override
  public boolean hasSpace(Line.Message line) {
    return true;
  }

  @Override
  public @Nullable String take(Line.Message line, LineVerdict verdict, Source source) {
    if (source == Source.OWN && !line.synthetic()) {
      returned(line);
    }
    if (line.type() == MessageType.JOIN && verdict == LineVerdict.SHOWN && source != Source.PAST) {
      moved(line);
    }
    return null;
  }

  /** Handles a returned line of this server. */
  private void returned(Line.Message line) {
    Key key = new Key(String.valueOf(line.connectionId()), line.message().messageId());
    ArrayDeque<ReportedFate> sent = underWay.computeIfAbsent(key, _ -> new ArrayDeque<>());
    ReportedFate first = sent.poll();
    while (first != null && first.word() == Word.DROPPED) {
      first = sent.poll(); // sent again since
    }
    ReportedFate back = first;
    world.check(back != null, () -> server + " is notified twice that " + key + " is back");
    if (back != null) {
      back.returned();
    }
  }

  /** Handles a JOIN on another connection: the user's earlier ones are closed. */
  private void moved(Line.Message join) {
    if (!connections.isEmpty()) {
      String connectionId = String.valueOf(join.connectionId());
      UserDevice who = join.who();
      connections.removeIf(each -> each.who.equals(who) && !each.connectionId.equals(connectionId));
    }
  }

  /** Closes the senders after a late entry of this server. */
  @Override
  public void ownLate() {
    lateUpTo = taken.size();
    connections.clear();
  }

  @Override
  public void lost(String why) {
    connections.clear();
  }

  @Override
  public void detached() {
    connections.clear();
  }

  @Override
  public boolean isNeeded() {
    return !connections.isEmpty();
  }

  @Override
  public void pastRestarts() {}

  @Override
  public void taken(Arrival arrival, int lines, Source source) {}

  @Override
  public void attached() {}

  @Override
  public void killed() {}

  @Override
  public boolean drain(Runnable over) {
    return false; // needs connections
  }

  @Override
  public boolean areSettled() {
    return true;
  }

  @Override
  public long step(long now) {
    return FOREVER_NANOS;
  }

  /** Checks that every accepted line got a fate. */
  public void judge() {
    for (ReportedFate each : taken) {
      world.check(each.word() != null, () -> server + " told nothing of " + each.id());
    }
  }
}
