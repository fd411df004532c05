package dev.chatflow.client.fake;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A room: its members and the order of its broadcasts. Guarded by its monitor. */
final class FakeRoom {
  private final String id;
  private final FakeServer server;
  private final Set<String> shown = new HashSet<>();
  private final Map<String, FakeSession> members = new LinkedHashMap<>();

  private final FakePast past = new FakePast();
  private String resent = ""; // the last resend, kept for the defect RESHOW

  FakeRoom(String id, FakeServer server) {
    this.id = id;
    this.server = server;
  }

  String id() {
    return id;
  }

  /** Adds a member. A server with history first sends the frames that the JOIN requests. */
  synchronized void join(FakeSession session, String key, String frame, JsonObject json) {
    FakeSession old = members.put(key, session);
    if (old != null && old != session) {
      old.close(4009, "taken over");
    }
    if (server.remembers()) {
      past.requested(json).forEach(session::send);
      past.add(frame);
    }
    members.values().forEach(member -> member.send(frame));
  }

  synchronized void leave(String key, String frame) {
    remember(frame);
    members.values().forEach(member -> member.send(frame));
    members.remove(key);
  }

  /** Broadcasts a LEAVE for a member whose connection ended without one. */
  synchronized void vanished(FakeSession session, String key, String frame) {
    if (members.remove(key, session)) {
      remember(frame);
      members.values().forEach(member -> member.send(frame));
    }
  }

  /** Broadcasts a TEXT, or answers only its sender if it was broadcast before. */
  synchronized void text(FakeSession sender, String userId, String messageId, String frame) {
    if (!messageId.isEmpty() && !shown.add(userId + "/" + messageId)) {
      sender.send(frame.substring(0, frame.length() - 1) + ",\"duplicate\":true}");
      resent = server.defects().reshows() ? frame : "";
      return;
    }
    if (!resent.isEmpty()) {
      broadcast(userId, resent);
      resent = "";
    }
    broadcast(userId, frame);
  }

  /** Broadcasts a posted TEXT, unless it was shown before. */
  synchronized void posted(String userId, String messageId, String frame) {
    if (shown.add(userId + "/" + messageId)) {
      broadcast(userId, frame);
    }
  }

  /** Broadcasts a signal, which is not kept. */
  synchronized void signal(String frame) {
    members.values().forEach(member -> member.send(frame));
  }

  private void remember(String frame) {
    if (server.remembers()) {
      past.add(frame);
    }
  }

  private void broadcast(String senderId, String frame) {
    remember(frame);
    List<FakeSession> receivers = new ArrayList<>(members.values());
    if (server.defects().isPartial()) {
      receivers = receivers.subList(0, receivers.size() / 2);
    }
    server.delivered(receivers.size());
    for (FakeSession receiver : receivers) {
      server.defects().deliver(receiver, senderId, frame, this::memberOfAnotherRoom);
    }
  }

  private @Nullable FakeSession memberOfAnotherRoom() {
    for (FakeRoom room : server.rooms()) {
      if (room != this) {
        FakeSession stranger = room.anyMember();
        if (stranger != null) {
          return stranger;
        }
      }
    }
    return null;
  }

  /**
   * Not locked, because two rooms could deadlock. Members do not change in the tests that use this.
   */
  private @Nullable FakeSession anyMember() {
    return members.isEmpty() ? null : members.values().iterator().next();
  }
}
