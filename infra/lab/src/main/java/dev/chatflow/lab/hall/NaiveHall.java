package dev.chatflow.lab.hall;

import jakarta.websocket.Session;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Reference point: a loop of {@code sendText} under the room's lock. */
final class NaiveHall implements Hall {

  private final Map<String, Set<Session>> rooms = new ConcurrentHashMap<>();
  private final LongAdder deliveries = new LongAdder();

  @Override
  public Seat join(Session session, String room, String text) {
    Set<Session> members = rooms.computeIfAbsent(room, _ -> ConcurrentHashMap.newKeySet());
    synchronized (members) {
      members.add(session);
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
        members.remove(session);
      }
    };
  }

  private void showAll(Set<Session> members, String text) {
    for (Session member : members) {
      try {
        member.getBasicRemote().sendText(text);
      } catch (IOException | IllegalStateException _) {
        // It has gone: its close follows.
      }
    }
    deliveries.add(members.size());
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
