package dev.chatflow.server.simulation.crowd;

import dev.chatflow.server.simulation.plan.Step;
import dev.chatflow.server.simulation.world.Cast;
import dev.chatflow.server.simulation.world.Guests;
import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.Witness;
import dev.chatflow.server.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** All clients of a run, which move from server to server. */
public final class Crowd implements Cast {

  public static final int GOING_AWAY = 1001;
  static final int COME_BACK = 1012;
  static final int SLOW = 4008;
  static final int TAKEN_OVER = 4009;
  static final int GAP = 4010;
  static final int REMOVED = 4005;

  private static final int USERS = 4;

  private final World world;
  private final List<Client> clients;
  private final Poster poster;
  private final Set<String> removed = new HashSet<>();
  private long sockets;

  public Crowd(World world) {
    this.world = world;
    this.poster = new Poster(world);
    this.clients =
        IntStream.rangeClosed(1, USERS).mapToObj(user -> new Client(world, this, user)).toList();
  }

  public List<Client> clients() {
    return clients;
  }

  public Poster poster() {
    return poster;
  }

  public Client client(String userId) {
    return clients.stream().filter(each -> each.id().equals(userId)).findFirst().orElseThrow();
  }

  long nextSocket() {
    return ++sockets;
  }

  @Override
  public Guests guests(SimulatedServer server) {
    return new Edge(world, server);
  }

  @Override
  public void act(Step step, SimulatedServer server) {
    if (step.action() == Step.Action.POST && (step.value() >>> 46 & 3) == 0) {
      remove(clients.get(step.below(USERS)), server);
    } else if (step.action() == Step.Action.POST && (step.value() >>> 46 & 7) == 1) {
      mute(step, server);
    } else if (step.action() == Step.Action.POST) {
      poster.post(server);
    } else {
      clients.get(step.below(USERS)).act(step);
    }
  }

  private void remove(Client client, SimulatedServer server) {
    world.note(() -> "a moderator removes " + client + " at " + server);
    removed.add(client.userId());
    ((Edge) server.guests()).remove(client.userId());
  }

  /**
   * Mutes a user of this crowd or the poster for some seconds, or ends a mute. The window of a ring
   * is as large as some lines here, so several mutes would fill it: only one user is muted there.
   */
  private void mute(Step step, SimulatedServer server) {
    int number = world.log().isRing() ? 0 : step.below(USERS + 1);
    String userId = number == USERS ? Poster.USER : clients.get(number).userId();
    int seconds = (step.value() >>> 50 & 3) == 0 ? 0 : 1 + (int) (step.value() >>> 52 & 15);
    world.note(() -> "a moderator mutes " + userId + " for " + seconds + " s at " + server);
    ((Edge) server.guests()).mute(userId, seconds);
  }

  @Override
  public boolean isSettled() {
    return poster.isSettled() && clients.stream().allMatch(Client::isSettled);
  }

  /** Excuses everything shown so far, because it may no longer be in the log. */
  @Override
  public void logWasCut() {
    clients.forEach(client -> client.visits().forEach(Visit::excuse));
  }

  /** Checks that a server closes a connection only for a reason that occurred. */
  void closed(Visit visit, int code) {
    boolean other = client(visit.user()).visits().size() > 1;
    Witness witness = visit.server().witness();
    boolean known =
        switch (code) {
          case Visit.BROKEN, Socket.REFUSED -> true;
          case GOING_AWAY -> ((Edge) visit.server().guests()).isDraining();
          case COME_BACK -> other || witness.late() > 0 || visit.server().wasFrozen();
          case SLOW -> visit.wasStalled();
          case TAKEN_OVER -> other;
          case REMOVED -> removed.contains(client(visit.user()).userId());
          case GAP -> witness.losses() > 0;
          default -> false;
        };
    world.check(known, () -> visit + " was closed for no reason: " + code);
  }
}
