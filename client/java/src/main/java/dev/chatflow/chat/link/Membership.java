package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A connection from its JOIN to its end: it joins as soon as it is connected; what comes before the
 * own JOIN is the past. Of its room's thread.
 */
final class Membership implements Net.Events {

  /** What it tells, itself first. */
  interface Events {

    /** Makes the JOIN; it may name a frame in {@code after}. */
    JsonObject join();

    void joining(Membership from);

    void members(JsonObject frame);

    void pastIsFull(Past past);

    void arrived(Membership from, JsonObject join, Past past);

    void live(Membership from, JsonObject broadcast);

    void putOff(Membership from, JsonObject error);

    void turnedAway(Membership from, JsonObject error);

    void failed(Membership from, JsonObject error);

    void ended(Membership from, int code, String reason);
  }

  private final Loop loop;
  private final Events on;
  private final @Nullable String token;
  private final Connection connection;
  private String joinId = "";
  private Past past = new Past(null);
  private Loop.Timer timer = Loop.Timer.NONE;
  private boolean isIn;
  private boolean hasPeople;

  Membership(Net net, URI address, @Nullable String token, Loop loop, Events on) {
    this.loop = loop;
    this.on = on;
    this.token = token;
    this.connection = new Connection(net, address, token, loop, this);
  }

  /** With which it came. */
  @Nullable String token() {
    return token;
  }

  /** Whether the own JOIN has come back. */
  boolean isIn() {
    return isIn;
  }

  /** Whether the people came by themselves and need not be asked for. */
  boolean hasPeople() {
    return hasPeople;
  }

  void send(String frame) {
    connection.send(frame);
  }

  void close() {
    timer.cancel();
    connection.close();
  }

  @Override
  public void opened() {
    join();
  }

  private void join() {
    JsonObject frame = on.join();
    joinId = Frames.text(frame, Frames.ID);
    past = new Past(frame.getAsJsonObject("after"));
    connection.send(frame.toString());
    on.joining(this);
  }

  @Override
  public void received(String text) {
    JsonObject frame = Frames.read(text);
    if (frame == null) {
      return;
    }
    if (Frames.text(frame, Frames.TYPE).equals("MEMBERS")) {
      hasPeople = true;
      on.members(frame);
    } else if (Frames.isBroadcast(frame)) {
      broadcast(frame);
    } else if (frame.has(Frames.ERROR_CODE)) {
      failed(frame);
    }
  }

  private void broadcast(JsonObject frame) {
    if (isIn) {
      on.live(this, frame);
    } else if (Frames.text(frame, Frames.TYPE).equals("JOIN")
        && Frames.text(frame, Frames.ID).equals(joinId)) {
      isIn = true;
      on.arrived(this, frame, past);
    } else {
      past.add(frame);
      if (past.isFull()) {
        on.pastIsFull(past);
      }
    }
  }

  private void failed(JsonObject error) {
    long retryAfter = Frames.number(error, "retryAfterMs");
    if (!Frames.text(error, Frames.ID).equals(joinId)) {
      on.failed(this, error);
    } else if (retryAfter > 0) {
      timer = loop.after(retryAfter, this::join);
      on.putOff(this, error);
    } else if (!Frames.text(error, Frames.ERROR_CODE).equals("ALREADY_JOINED")) {
      on.turnedAway(this, error);
    }
  }

  @Override
  public void ended(int code, String reason) {
    timer.cancel();
    on.ended(this, code, reason);
  }
}
