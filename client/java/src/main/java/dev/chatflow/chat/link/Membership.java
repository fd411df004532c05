package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A connection from its JOIN to its end. It joins as soon as it is connected; frames before its own
 * JOIN are the past. Used only by the room's thread.
 */
final class Membership implements Net.Events {

  /** The events of a membership, in this order. */
  sealed interface Event {

    record Joining() implements Event {}

    record PastIsFull(Past past) implements Event {}

    record Arrived(JsonObject join, Past past) implements Event {}

    record Members(JsonObject list) implements Event {}

    record Live(JsonObject broadcast) implements Event {}

    record Failed(JsonObject error) implements Event {}

    /** The server asks to repeat the JOIN later. */
    record Postponed(JsonObject error) implements Event {}

    record Refused(JsonObject error) implements Event {}

    /** The last event. */
    record Ended(int code, String reason) implements Event {}
  }

  /** Receives the events, and builds the JOIN, which may name a frame in {@code after}. */
  interface Owner {

    JsonObject join();

    void happened(Membership from, Event what);
  }

  private final URI server;
  private final Loop loop;
  private final Owner owner;
  private final @Nullable String token;
  private final Connection connection;
  private String joinId = "";
  private Past past = new Past(null);
  private Loop.Timer timer = Loop.Timer.NONE;
  private boolean isIn;
  private @Nullable JsonObject people;

  Membership(Net net, URI server, String path, @Nullable String token, Loop loop, Owner owner) {
    this.server = server;
    this.loop = loop;
    this.owner = owner;
    this.token = token;
    URI socket = URI.create(server.resolve(path).toString().replaceFirst("^http", "ws"));
    this.connection = new Connection(net, socket, token, loop, this);
  }

  /** Returns the address of the server that it was made for. */
  URI server() {
    return server;
  }

  @Nullable String token() {
    return token;
  }

  /** Returns whether this connection's JOIN has come back. */
  boolean isIn() {
    return isIn;
  }

  /**
   * Returns the member list sent before this connection's JOIN, which it includes. It is valid
   * after the past was applied.
   */
  @Nullable JsonObject people() {
    return people;
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
    JsonObject frame = owner.join();
    joinId = Frames.text(frame, Frames.ID);
    past = new Past(frame.getAsJsonObject("after"));
    connection.send(frame.toString());
    emit(new Event.Joining());
  }

  @Override
  public void received(String text) {
    JsonObject frame = Frames.read(text);
    if (frame == null) {
      return;
    }
    if (Frames.text(frame, Frames.TYPE).equals("MEMBERS")) {
      members(frame);
    } else if (Frames.isBroadcast(frame)) {
      broadcast(frame);
    } else if (frame.has(Frames.ERROR_CODE)) {
      failed(frame);
    }
  }

  private void members(JsonObject list) {
    if (isIn) {
      emit(new Event.Members(list));
    } else {
      people = list;
    }
  }

  private void broadcast(JsonObject frame) {
    if (isIn) {
      emit(new Event.Live(frame));
    } else if (Frames.text(frame, Frames.TYPE).equals("JOIN")
        && Frames.text(frame, Frames.ID).equals(joinId)) {
      isIn = true;
      emit(new Event.Arrived(frame, past));
    } else if (!Frames.isSignal(frame)) { // the past has no signals
      past.add(frame);
      if (past.isFull()) {
        emit(new Event.PastIsFull(past));
      }
    }
  }

  private void failed(JsonObject error) {
    long retryAfter = Frames.number(error, "retryAfterMs");
    if (!Frames.text(error, Frames.ID).equals(joinId)) {
      emit(new Event.Failed(error));
    } else if (retryAfter > 0) {
      timer = loop.after(retryAfter, this::join);
      emit(new Event.Postponed(error));
    } else if (!Frames.text(error, Frames.ERROR_CODE).equals("ALREADY_JOINED")) {
      emit(new Event.Refused(error));
    }
  }

  @Override
  public void ended(int code, String reason) {
    timer.cancel();
    emit(new Event.Ended(code, reason));
  }

  private void emit(Event what) {
    owner.happened(this, what);
  }
}
