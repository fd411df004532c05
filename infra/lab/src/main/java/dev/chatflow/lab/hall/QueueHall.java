package dev.chatflow.lab.hall;

import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reference point: a queue for each session, emptied by one asynchronous {@code sendText} after the
 * other.
 */
final class QueueHall implements Hall {

  private final Map<String, Set<Outbox>> rooms = new ConcurrentHashMap<>();
  private final LongAdder deliveries = new LongAdder();

  @Override
  public Seat join(Session session, String room, String text) {
    Set<Outbox> members = rooms.computeIfAbsent(room, _ -> ConcurrentHashMap.newKeySet());
    Outbox own = new Outbox(session);
    synchronized (members) {
      members.add(own);
      showAll(members, text);
    }
    return new Seat() {
      @Override
      public void say(String said) {
        synchronized (members) { // one order for all
          showAll(members, said);
        }
      }

      @Override
      public void leave() {
        members.remove(own);
      }
    };
  }

  private void showAll(Set<Outbox> members, String text) {
    members.forEach(member -> member.add(text));
    deliveries.add(members.size());
  }

  private static final class Outbox {
    private final RemoteEndpoint.Async remote;

    // Guarded by this
    private final Queue<String> waiting = new ArrayDeque<>();
    private boolean sending;

    Outbox(Session session) {
      remote = session.getAsyncRemote();
    }

    void add(String text) {
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
