package dev.chatflow.client.fake;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.HttpChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A chat server without sockets, in virtual time: it acts when the client polls, and waiting takes
 * no real time. Rooms, echoes, synthetic LEAVEs and resends follow the protocol. Tests define its
 * faults and their times.
 *
 * <p>Belongs to one thread.
 */
public final class VirtualChat {

  /** An action at a time. Actions of the same time run in the order in which they were added. */
  private record Due(long nanos, long order, Runnable action) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return nanos == other.nanos
          ? Long.compare(order, other.order)
          : Long.compare(nanos, other.nanos);
    }
  }

  /** Changes a frame before it is delivered to a member. */
  public interface FrameChange {
    /**
     * Returns the frames to deliver: none, the frame itself, or others.
     *
     * @param index index of the member among the open connections
     */
    List<String> frames(int index, String frame);
  }

  private final PriorityQueue<Due> dues = new PriorityQueue<>();
  private final Map<String, List<VirtualConnection>> rooms = new LinkedHashMap<>();
  private final List<VirtualConnection> open = new ArrayList<>();
  private final Set<String> shown = new HashSet<>();
  private final List<String> refusals = new ArrayList<>();
  private final List<Integer> postAnswers = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final List<String> sentHeaders = new ArrayList<>();
  private final List<String> received = new ArrayList<>();
  private Predicate<JsonObject> swallowed = _ -> false;
  private Predicate<JsonObject> refused = _ -> false;
  private FrameChange frameChange = (_, frame) -> List.of(frame);
  private final Map<String, FakePast> pasts = new LinkedHashMap<>();
  private UnaryOperator<List<String>> pastChange = past -> past;
  private boolean remembers;
  private volatile long nowNanos = 1_000_000_000L; // other threads may read it
  private long order;
  private long latencyNanos = 1_000_000;
  private long stalledUntil;
  private int joinsToRefuse;
  private int joinsToCut;
  private int pastsToCut;
  private int quietFrom = Integer.MAX_VALUE;
  private int upgrades;
  private int mostOpen;
  private boolean silent;

  /** Returns the virtual time, which {@link #pass} advances. */
  public long nanoTime() {
    return nowNanos;
  }

  /** Sets the latency of all later responses. */
  public void latency(long nanos) {
    latencyNanos = nanos;
  }

  /** Runs an action after this time. */
  public void after(long nanos, Runnable action) {
    dues.add(new Due(nowNanos + nanos, order++, action));
  }

  /** Sends no responses for this time, then all of them at once. */
  public void stall(long nanos) {
    stalledUntil = nowNanos + nanos;
  }

  /** Stops all responses permanently. */
  public void fallSilent() {
    silent = true;
  }

  /** Accepts this number of upgrades before it rejects others. */
  public void acceptUpgrades(int count) {
    refuseUpgrades("", count);
  }

  /** Refuses the next upgrades with this status line. */
  public void refuseUpgrades(String statusLine, int count) {
    for (int i = 0; i < count; i++) {
      refusals.add(statusLine);
    }
  }

  /** Answers the next JOINs with 503 and a requested delay of 500 ms. */
  public void refuseJoins(int count) {
    joinsToRefuse = count;
  }

  /** Ends the connections of the next JOINs. */
  public void cutJoins(int count) {
    joinsToCut = count;
  }

  /** Ends the connections of the next JOINs after half of the past frames that they request. */
  public void cutPasts(int count) {
    pastsToCut = count;
  }

  /** Sets the number of members from which JOINs and LEAVEs go only to their own connection. */
  public void quietFrom(int members) {
    quietFrom = members;
  }

  /** Matches messages of this type. */
  public static Predicate<JsonObject> type(String type) {
    return json -> json.get("messageType").getAsString().equals(type);
  }

  /** Matches messages whose id ends with this suffix. */
  public static Predicate<JsonObject> id(String end) {
    return json -> json.get("messageId").getAsString().endsWith(end);
  }

  /** Drops matching messages without a response. */
  public void swallow(Predicate<JsonObject> which) {
    swallowed = which;
  }

  /** Answers matching messages with an error frame. */
  public void refuse(Predicate<JsonObject> which) {
    refused = which;
  }

  /** Changes all later broadcasts. */
  public void changeFrames(FrameChange what) {
    frameChange = what;
  }

  /** Supports {@code after} and {@code history} in JOINs from now on. */
  public void remember() {
    remembers = true;
  }

  /** Changes the past frames that are sent before a JOIN. */
  public void changePasts(UnaryOperator<List<String>> what) {
    pastChange = what;
  }

  /** Discards all past frames. */
  public void forget() {
    pasts.clear();
  }

  /** Adds a frame to the past of a room and delivers it to all members. */
  private void show(String room, List<VirtualConnection> members, String frame) {
    pasts.computeIfAbsent(room, _ -> new FakePast()).add(frame);
    List.copyOf(members).forEach(member -> deliver(member, frame));
  }

  private void deliver(VirtualConnection member, String frame) {
    frameChange.frames(open.indexOf(member), frame).forEach(member::receive);
  }

  /** Sets the statuses of the next posts. Later posts get 201. */
  public void answerPosts(Integer... statuses) {
    postAnswers.addAll(List.of(statuses));
  }

  /** Ends every connection with this close code; 1006 without a close frame. */
  public void closeAll(int code, String reason) {
    List.copyOf(open).forEach(connection -> connection.end(code, reason));
  }

  /** Returns the ports of all connection attempts, in order. */
  public List<Integer> ports() {
    return ports;
  }

  void dialled(int port, String headers) {
    ports.add(port);
    sentHeaders.add(headers);
  }

  /** Returns the header lines of all connection attempts, in order. */
  public List<String> sentHeaders() {
    return sentHeaders;
  }

  public int upgrades() {
    return upgrades;
  }

  public int mostOpen() {
    return mostOpen;
  }

  /** Returns the types of all received messages, in order. */
  public List<String> received() {
    return received;
  }

  public List<VirtualConnection> open() {
    return open;
  }

  /** Advances the time to the next action, but at most by this time. */
  void pass(long nanos) {
    long end = nowNanos + Math.max(nanos, 1_000);
    boolean happened = false;
    for (Due next = dues.peek(); next != null && next.nanos <= end; next = dues.peek()) {
      if (happened && next.nanos > nowNanos) {
        return;
      }
      nowNanos = Math.max(nowNanos, next.nanos);
      happened = true;
      dues.remove().action.run();
    }
    nowNanos = happened ? nowNanos : end;
  }

  /** Runs an action after the latency, or after the current stall. */
  private void soon(Runnable action) {
    if (!silent) {
      long at = Math.max(nowNanos + latencyNanos, stalledUntil);
      dues.add(new Due(at, order++, action));
    }
  }

  void connecting(VirtualConnection connection, ConnectionEvents events) {
    upgrades++;
    String refusal = refusals.isEmpty() ? "" : refusals.removeFirst();
    soon(() -> {
      if (connection.isEnded()) {
        return;
      }
      if (!refusal.isEmpty()) {
        connection.abort();
        events.refused(refusal);
        return;
      }
      open.add(connection);
      mostOpen = Math.max(mostOpen, open.size());
      connection.opened();
      events.opened();
    });
  }

  void message(VirtualConnection sender, JsonObject json) {
    String type = json.get("messageType").getAsString();
    received.add(type);
    if (swallowed.test(json)) {
      return;
    }
    if (type.equals("JOIN") && joinsToCut > 0) {
      joinsToCut--;
      soon(() -> sender.end(1006, "cut"));
    } else if (type.equals("JOIN") && joinsToRefuse > 0) {
      joinsToRefuse--;
      soon(() -> sender.receive(error(503, "UNAVAILABLE", json)));
    } else if (refused.test(json)) {
      soon(() -> sender.receive(error(422, "VALIDATION_FAILED", json)));
    } else {
      soon(() -> broadcast(sender, type, json));
    }
  }

  private void broadcast(VirtualConnection sender, String type, JsonObject json) {
    if (sender.isEnded()) {
      return;
    }
    List<VirtualConnection> members = rooms.computeIfAbsent(sender.room(), _ -> new ArrayList<>());
    String frame = frame(json);
    if (type.equals("JOIN")) {
      if (remembers && !showPast(sender, json)) {
        return;
      }
      takeOver(members, json);
      members.add(sender);
      sender.joinedAs(json);
    } else if (type.equals("TEXT") && !shown.add(json.get("messageId").getAsString())) {
      sender.receive(frame.replaceFirst("}$", ",\"duplicate\":true}"));
      return;
    }
    if (type.equals("SIGNAL")) {
      List.copyOf(members).forEach(member -> deliver(member, frame));
    } else if (!type.equals("TEXT") && members.size() >= quietFrom) {
      sender.receive(frame.replaceFirst("}$", ",\"quiet\":true}"));
    } else {
      show(sender.room(), members, frame);
    }
    if (type.equals("LEAVE")) {
      members.remove(sender);
    }
  }

  /** Ends the connection that was the device's membership until now, without a LEAVE. */
  private static void takeOver(List<VirtualConnection> members, JsonObject join) {
    for (VirtualConnection member : List.copyOf(members)) {
      if (deviceOf(member.joined()).equals(deviceOf(join))) {
        members.remove(member);
        member.takenOver();
      }
    }
  }

  private static String deviceOf(JsonObject join) {
    return join.get("userId") + "/" + join.get("device");
  }

  /**
   * Sends the past frames that a JOIN requests. Returns false if the connection is cut before all
   * are sent.
   */
  private boolean showPast(VirtualConnection sender, JsonObject join) {
    FakePast past = pasts.computeIfAbsent(sender.room(), _ -> new FakePast());
    List<String> requested = pastChange.apply(past.requested(join));
    boolean cut = pastsToCut > 0 && requested.size() > 1;
    requested.subList(0, cut ? requested.size() / 2 : requested.size()).forEach(sender::receive);
    if (cut) {
      pastsToCut--;
      sender.end(1006, "cut");
    }
    return !cut;
  }

  /** Removes an ended connection. If it belonged to a member, a synthetic LEAVE follows. */
  void connectionEnded(VirtualConnection connection) {
    open.remove(connection);
    List<VirtualConnection> members = rooms.getOrDefault(connection.room(), new ArrayList<>());
    if (members.remove(connection)) {
      JsonObject leave = connection.joined().deepCopy();
      leave.addProperty("messageType", "LEAVE");
      leave.addProperty("message", "");
      leave.addProperty("messageId", "synthetic-" + order++);
      leave.addProperty("synthetic", true);
      soon(() -> show(connection.room(), members, frame(leave)));
    }
  }

  /** Answers a posted text and broadcasts it to its room. */
  void post(
      String room, byte[] body, HttpChannel.Events events, Predicate<HttpChannel.Events> waits) {
    JsonObject json = JsonParser.parseString(text(body)).getAsJsonObject();
    int status = postAnswers.isEmpty() ? 201 : postAnswers.removeFirst();
    soon(() -> {
      if (status == 201 && shown.add(json.get("messageId").getAsString())) {
        show(room, rooms.getOrDefault(room, List.of()), frame(json));
      }
      if (waits.test(events)) {
        events.answered(status, status == 503 ? 300 : 0);
      }
    });
  }

  private String frame(JsonObject json) {
    JsonObject frame = json.deepCopy();
    frame.remove("after");
    frame.remove("history");
    frame.addProperty("serverTimestamp", Instant.ofEpochSecond(0, nowNanos).toString());
    frame.addProperty("status", 200);
    return frame.toString();
  }

  private static String error(int status, String code, JsonObject cause) {
    JsonObject json = new JsonObject();
    json.addProperty("status", status);
    json.addProperty("errorCode", code);
    json.addProperty("messageId", cause.get("messageId").getAsString());
    json.addProperty("retryAfterMs", status == 503 ? 500 : 0);
    return json.toString();
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
