package dev.chatflow.lab.hall;

import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** Reference points: each text goes to all members under their room's lock, one order for all. */
final class LockedHall implements Hall {

  /** Where the texts of one member go. */
  private interface Outlet {
    void show(String text);
  }

  private final Function<Session, Outlet> outlets;
  private final Map<String, Set<Outlet>> rooms = new ConcurrentHashMap<>();
  private final LongAdder deliveries = new LongAdder();

  private LockedHall(Function<Session, Outlet> outlets) {
    this.outlets = outlets;
  }

  /** A loop of {@code sendText}. */
  static LockedHall naive() {
    return new LockedHall(session -> text -> sendNow(session, text));
  }

  /** A queue for each session. */
  static LockedHall queued() {
    return new LockedHall(Outbox::new);
  }

  private static void sendNow(Session session, String text) {
    try {
      session.getBasicRemote().sendText(text);
    } catch (IOException | IllegalStateException _) {
      // It has gone: its close follows.
    }
  }

  @Override
  public Seat join(Session session, String room, String text) {
    Set<Outlet> members = rooms.computeIfAbsent(room, _ -> ConcurrentHashMap.newKeySet());
    Outlet own = outlets.apply(session);
    synchronized (members) {
      members.add(own);
      showAll(members, text);
    }
    return new Seat() {
      @Override
      public void say(String said) {
        synchronized (members) {
          showAll(members, said);
        }
      }

      @Override
      public void leave() {
        members.remove(own);
      }
    };
  }

  private void showAll(Set<Outlet> members, String text) {
    members.forEach(member -> member.show(text));
    deliveries.add(members.size());
  }

  /** One asynchronous {@code sendText} after the other. */
  private static final class Outbox implements Outlet {
    private final RemoteEndpoint.Async remote;

    // Guarded by this
    private final Queue<String> waiting = new ArrayDeque<>();
    private boolean sending;

    Outbox(Session session) {
      remote = session.getAsyncRemote();
    }

    @Override
    public void show(String text) {
      synchronized (this) {
        waiting.add(text);
        if (sending) {
          return;
        }
        sending = true;
      }
      sendNext();
    }

    private void sendNext() {
      String next;
      synchronized (this) {
        next = waiting.poll();
        if (next == null) {
          sending = false;
          return;
        }
      }
      remote.sendText(next, this::sent);
    }

    private void sent(SendResult result) {
      if (result.isOK()) {
        sendNext();
      } else {
        synchronized (this) {
          waiting.clear(); // and stays "sending": nothing leaves any more
        }
      }
    }
  }

  @Override
  public long writes() {
    return deliveries.sum();
  }

  @Override
  public long deliveries() {
    return deliveries.sum();
  }

  @Override
  public void close() {
    rooms.clear();
  }
}
