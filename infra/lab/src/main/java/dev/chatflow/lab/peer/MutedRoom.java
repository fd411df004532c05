package dev.chatflow.lab.peer;

import dev.chatflow.chat.ChatException;
import dev.chatflow.chat.ChatFlow;
import dev.chatflow.chat.Code;
import dev.chatflow.chat.Listener;
import dev.chatflow.chat.Message;
import dev.chatflow.chat.Room;
import dev.chatflow.chat.Signal;
import dev.chatflow.chat.State;
import dev.chatflow.identity.Issuer;
import dev.chatflow.lab.broker.Pause;
import dev.chatflow.lab.node.ChatNode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A room in which a user writes without pause, with one device at each of two servers, while a
 * moderator mutes the user for a time. A member at each server records what it shows.
 */
public final class MutedRoom implements AutoCloseable {

  private static final String USER = "91000";
  private static final String MODERATOR = "91001";
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration BETWEEN_TEXTS = Duration.ofMillis(50);

  private final String id;
  private final Issuer issuer;
  private final List<ChatFlow> clients = new ArrayList<>();
  private final List<Room> rooms = new ArrayList<>();
  private final List<Recorder> recorders = new ArrayList<>();
  private final AtomicLong refused = new AtomicLong();
  private volatile boolean isSilent;

  /** Opens the room at two servers that accept tokens of this issuer. */
  public MutedRoom(String id, Issuer issuer, ChatNode first, ChatNode second) {
    this.id = id;
    this.issuer = issuer;
    enter(first, second);
    enter(second, first);
  }

  /** A recorder, then a device that writes. Both move to the other server while theirs is gone. */
  private void enter(ChatNode server, ChatNode other) {
    Recorder recorder = new Recorder();
    recorders.add(recorder);
    join(server, other, "9200" + rooms.size(), "", recorder);
    Room writes = join(server, other, USER, "device-" + rooms.size(), (_, _) -> {});
    Thread.startVirtualThread(() -> write(writes));
  }

  private Room join(
      ChatNode server, ChatNode other, String user, String device, Listener listener) {
    ChatFlow.Builder client =
        ChatFlow.to(page(server), page(other)).token(() -> issuer.token(user, HOUR, id));
    if (!device.isEmpty()) {
      client.device(device);
    }
    ChatFlow built = client.build();
    clients.add(built);
    Room room = built.join(id, listener);
    rooms.add(room);
    return room;
  }

  private static URI page(ChatNode server) {
    return URI.create("http://127.0.0.1:" + server.port() + "/");
  }

  private void write(Room room) {
    for (int i = 0; !isSilent; i++) {
      var _ = room.send("text " + i).whenComplete((_, failure) -> count(failure));
      Pause.of(BETWEEN_TEXTS);
    }
  }

  private void count(Throwable failure) {
    if (failure instanceof ChatException refusal && refusal.code() == Code.MUTED) {
      refused.incrementAndGet();
    }
  }

  /** Mutes the user at a server for an hour. */
  public void mute(ChatNode server) {
    server.mute(id, USER, HOUR, moderator());
  }

  /** Ends the mute at a server. */
  public void unmute(ChatNode server) {
    server.mute(id, USER, Duration.ZERO, moderator());
  }

  private String moderator() {
    Map<String, Object> claims = new HashMap<>(Issuer.claims(MODERATOR, HOUR, id));
    claims.put("moderate", List.of(id));
    return issuer.sign(claims);
  }

  /** Returns whether both members have heard the user since the last mute or its end. */
  public boolean isHeard() {
    return recorders.stream().allMatch(Recorder::isHeard);
  }

  /** Returns whether both members know that the user is muted, and servers refused a text. */
  public boolean isMuted() {
    return refused.get() > 0 && recorders.stream().allMatch(Recorder::isMuted);
  }

  /** Returns whether all are connected. */
  public boolean isWhole() {
    return rooms.stream().allMatch(room -> room.state() instanceof State.Here);
  }

  /** Lets the user write no more. */
  public void silence() {
    isSilent = true;
  }

  /** Returns whether both members recorded the same. */
  public boolean isAgreed() {
    return recorders.stream().map(Recorder::recorded).distinct().count() == 1;
  }

  /** Returns the number of texts that were shown while the user was muted. */
  public long heardWhileMuted() {
    return recorders.stream().mapToLong(Recorder::heardWhileMuted).sum();
  }

  @Override
  public void close() {
    silence();
    clients.forEach(ChatFlow::close);
  }

  /** A member's record of the user's texts and of the mutes, in the room's order. */
  private static final class Recorder implements Listener {

    private final List<String> recorded = new ArrayList<>();
    private boolean isMuted;
    private boolean isHeard;
    private long heardWhileMuted;

    @Override
    public synchronized void message(Room room, Message message) {
      recorded.add(message.device() + " " + message.text());
      isHeard = true;
      heardWhileMuted += isMuted ? 1 : 0;
    }

    @Override
    public synchronized void signal(Room room, Signal signal) {
      recorded.add(signal.kind() + " " + signal.extras());
      isMuted = !String.valueOf(signal.extras().data()).contains("\"1970-");
      isHeard = false;
    }

    synchronized boolean isMuted() {
      return isMuted;
    }

    synchronized boolean isHeard() {
      return isHeard;
    }

    synchronized long heardWhileMuted() {
      return heardWhileMuted;
    }

    synchronized List<String> recorded() {
      return List.copyOf(recorded);
    }
  }
}
