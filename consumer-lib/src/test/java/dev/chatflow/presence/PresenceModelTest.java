package dev.chatflow.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Digest;
import dev.chatflow.log.Entry;
import dev.chatflow.log.PresenceHeaders;
import dev.chatflow.log.PresenceOutlet;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.Line;
import dev.chatflow.message.LineReader;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Four servers on one list of entries: complete presence of a server equals that of every other
 * server at that position, and what follows from the list from its first entry on.
 */
class PresenceModelTest {

  private static final int STEPS = 600;
  private static final int USERS = 6;
  private static final RoomId ROOM = new RoomId("5");
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** One entry of the log. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Stored(
      Entry entry,
      PresenceHeaders presenceHeaders,
      byte @Nullable [] page,
      Line.@Nullable Message line) {}

  private final List<Stored> log = new ArrayList<>();

  /** The meaning of the whole log by position: user to connection. */
  private final List<Map<String, String>> truth = new ArrayList<>();

  /** Connections of dead servers. */
  private final Set<String> orphans = new HashSet<>();

  private final Map<String, String> now = new TreeMap<>();
  private long nanos;
  private long stamps;
  private int connections;

  /** One server: its lane is the outlet, and it reads at its own pace. */
  private final class Server implements PresenceOutlet, OrphanedLeaves, ShardPresence.Watch {
    private final Lane lane;
    private final ShardPresence presence;
    private final Map<String, Long> members = new HashMap<>();
    private final ArrayDeque<byte[]> pages = new ArrayDeque<>();
    private final List<Line.Message> leaves = new ArrayList<>();
    private long number;
    private long request;
    private final Set<Lane> lostLanes = new LinkedHashSet<>();
    private @Nullable Digest digest;
    private long saidNanos;
    private int position;
    private boolean attached;
    private boolean dead;
    private long frozenUntil;

    Server(String name, long boot) {
      lane = new Lane(name, boot, 0);
      presence = new ShardPresence(this, this, new PresenceLimit(1_000), PresenceMeter.NONE);
      presence.watch(this);
      presence.begins();
      publish(null);
    }

    @Override
    public void completed(boolean changed) {}

    /** Closes its connection and publishes the LEAVE, as for each that ends. */
    @Override
    public void ended(String connectionId) {
      for (String member : List.copyOf(members.keySet())) {
        String[] parts = member.split("/", -1);
        Long stamp = parts[0].equals(connectionId) ? members.remove(member) : null;
        if (stamp != null) {
          leaves.add(line(MessageType.LEAVE, parts[1], lane, connectionId, stamp));
        }
      }
    }

    @Override
    public Lane name() {
      return lane;
    }

    @Override
    public void requestSnapshots(long number, boolean begins) {
      request = number;
      if (begins) {
        lostLanes.add(lane);
      }
    }

    @Override
    public void announceLost(List<Lane> lanes) {
      lostLanes.addAll(lanes);
    }

    @Override
    public void announceMembers(Digest members) {
      digest = members;
    }

    @Override
    public void sendSnapshot(List<byte[]> answer) {
      pages.clear();
      pages.addAll(answer);
    }

    @Override
    public boolean isBusy() {
      return !leaves.isEmpty();
    }

    @Override
    public void leaves(RoomId room, Person person) {
      leaves.add(
          line(
              MessageType.LEAVE,
              person.who().userId(),
              person.lane(),
              person.connectionId(),
              person.stamp()));
    }

    boolean isAwake() {
      return !dead && nanos >= frozenUntil;
    }

    void join(String user) {
      String connectionId = connections(lane) + connections++;
      members.put(connectionId + "/" + user, ++stamps);
      publish(line(MessageType.JOIN, user, lane, connectionId, stamps));
    }

    void leave(String member) {
      String[] parts = member.split("/", -1);
      Long stamp = members.remove(member);
      if (stamp != null) {
        publish(line(MessageType.LEAVE, parts[1], lane, parts[0], stamp));
      }
    }

    private void publish(Line.@Nullable Message line) {
      byte[] page = line == null ? pages.poll() : null;
      Entry entry =
          new Entry(lane, ++number, number == 1 ? 0 : number - 1, line != null || page != null);
      log.add(
          new Stored(
              entry, new PresenceHeaders(request, digest, List.copyOf(lostLanes)), page, line));
      request = 0;
      digest = null;
      saidNanos = nanos;
      say(line);
      now.values().removeIf(this::isOfGone);
      lostLanes.clear();
      truth.add(new TreeMap<>(now));
    }

    private void say(Line.@Nullable Message line) {
      if (line != null && line.type() == MessageType.JOIN) {
        now.put(line.userId(), String.valueOf(line.connectionId()));
      } else if (line != null) {
        now.remove(line.userId(), String.valueOf(line.connectionId()));
      }
    }

    private boolean isOfGone(String connectionId) {
      return lostLanes.stream().anyMatch(each -> connectionId.startsWith(connections(each)));
    }

    /** Publishes everything that is due: LEAVEs, pages, beacons. */
    void speak() {
      if (!leaves.isEmpty()) {
        publish(leaves.removeFirst());
      } else if (!pages.isEmpty()
          || request > 0
          || !lostLanes.isEmpty()
          || nanos - saidNanos >= 4 * SECOND) {
        publish(null);
      }
    }

    void read(int most) {
      for (int i = 0; i < most && position < log.size(); i++) {
        Stored next = log.get(position);
        if (next.line() != null) {
          presence.shown(next.entry().lane(), next.line());
          members.keySet().removeIf(this::isTakenOver);
        }
        presence.read(next.entry(), next.presenceHeaders(), next.page(), true, nanos);
        judge();
        position++;
        attach(next.entry());
      }
    }

    private void attach(Entry entry) {
      if (!attached && entry.lane().equals(lane)) {
        attached = true;
        presence.attached();
      }
    }

    /**
     * Returns whether its connection was closed by another JOIN of the user, or its LEAVE was
     * published.
     */
    private boolean isTakenOver(String member) {
      String[] parts = member.split("/", -1);
      Line.Message line = log.get(position).line();
      boolean mine = line != null && line.userId().equals(parts[1]);
      return mine && isEnd(line, parts[0]);
    }

    private static boolean isEnd(Line.@Nullable Message line, String connectionId) {
      boolean same = line != null && connectionId.equals(line.connectionId());
      return line != null && (line.type() == MessageType.JOIN) != same;
    }

    private void judge() {
      if (presence.isComplete()) {
        Map<String, String> known = new TreeMap<>();
        presence
            .of(ROOM)
            .members()
            .forEach(person -> known.put(person.who().userId(), person.connectionId()));
        assertThat(known).as("%s at %s", lane, position).isEqualTo(truth.get(position));
      }
    }
  }

  private static String connections(Lane lane) {
    return lane.serverId() + ":" + lane.bootEpoch() + "-";
  }

  private static Line.Message line(
      MessageType type, String user, Lane lane, String connectionId, long stamp) {
    ClientMessage content =
        new ClientMessage(type, user, "user", "", "2026-11-20T18:46:00Z", "m-" + stamp);
    byte[] bytes =
        LineWriter.line(
            new ChatMessage(
                content,
                ROOM,
                1_000,
                new ChatMessage.Origin(lane.serverId(), connectionId, "", stamp),
                false));
    return (Line.Message) new LineReader().read(bytes, 0, bytes.length);
  }

  static LongStream seeds() {
    return new Random(25).longs(300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void completeMapsMatchTheWholeLog(long seed) {
    Random random = new Random(seed);
    @Nullable Server[] servers = new @Nullable Server[4];
    for (int i = 0; i < 2; i++) {
      servers[i] = new Server("s" + i, 1);
    }
    for (int step = 0; step < STEPS; step++) {
      nanos += random.nextInt(random.nextInt(10) == 0 ? 4_000 : 400) * (SECOND / 1_000);
      int index = random.nextInt(4);
      Server server = servers[index];
      if (server == null || (server.dead && random.nextInt(20) == 0)) {
        servers[index] = server == null && random.nextInt(30) > 0 ? null : begin(index, step);
      } else if (server.isAwake()) {
        act(server, random);
      }
    }
    settle(servers);
  }

  private Server begin(int index, int step) {
    return new Server("s" + index, step + 2);
  }

  private void act(Server server, Random random) {
    server.speak();
    server.read(random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(20));
    int what = random.nextInt(100);
    if (what == 0) {
      server.dead = true;
      server.members.keySet().forEach(member -> orphans.add(member.split("/", -1)[0]));
    } else if (what == 1) {
      server.frozenUntil = nanos + random.nextInt(random.nextBoolean() ? 12 : 150) * SECOND;
    } else if (what == 2) {
      server.pages.clear(); // a snapshot that never arrives
    } else if (what < 30 && server.attached) {
      server.join("u" + random.nextInt(USERS));
    } else if (what < 45 && !server.members.isEmpty()) {
      server.leave(server.members.keySet().iterator().next());
    }
  }

  /**
   * Lets time pass for a freeze and the detection of dead servers: their members have left, and all
   * servers are complete.
   */
  private void settle(@Nullable Server... servers) {
    for (int i = 0; i < 1_600; i++) {
      nanos += SECOND / 4;
      for (@Nullable Server server : servers) {
        if (server != null && server.isAwake()) {
          server.speak();
          server.read(1_000);
        }
      }
    }
    for (@Nullable Server server : servers) {
      if (server != null && !server.dead) {
        server.read(1_000);
        assertThat(server.presence.isComplete()).as("%s is complete", server.lane).isTrue();
        assertThat(server.presence.of(ROOM).members()).as("ghosts").noneMatch(this::isOrphan);
      }
    }
  }

  private boolean isOrphan(Person person) {
    return orphans.contains(person.connectionId());
  }
}
