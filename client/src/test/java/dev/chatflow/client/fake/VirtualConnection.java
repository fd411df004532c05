package dev.chatflow.client.fake;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.record.Traffic;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** A client's end of a connection to a {@link VirtualChat}. Belongs to one thread. */
public final class VirtualConnection implements Connection {
  private final VirtualChat chat;
  private final String room;
  private final ConnectionEvents events;
  private final Traffic traffic;
  private final Deque<String> unread = new ArrayDeque<>();
  private final Deque<JsonObject> unsent = new ArrayDeque<>();
  private JsonObject joined = new JsonObject();
  private boolean open;
  private boolean ended;
  private boolean paused;
  private boolean full;

  VirtualConnection(VirtualChat chat, String room, ConnectionEvents events, Traffic traffic) {
    this.chat = chat;
    this.room = room;
    this.events = events;
    this.traffic = traffic;
  }

  /** Whether the connection reports its events to this listener. */
  public boolean isOf(ConnectionEvents one) {
    return events.equals(one);
  }

  String room() {
    return room;
  }

  JsonObject joined() {
    return joined;
  }

  void joinedAs(JsonObject json) {
    joined = json;
  }

  void opened() {
    open = true;
  }

  boolean isEnded() {
    return ended;
  }

  /** Whether the client has paused reading. */
  public boolean isPaused() {
    return paused;
  }

  /** Accepts no frames for this time. Written frames stay in the client. */
  public void fillUp(long nanos) {
    full = true;
    chat.after(
        nanos,
        () -> {
          full = false;
          unsent.forEach(frame -> chat.message(this, frame));
          unsent.clear();
          if (!ended) {
            events.writable();
          }
        });
  }

  /** Delivers a frame from the server. */
  public void receive(String text) {
    if (paused) {
      unread.add(text);
    } else if (!ended) {
      traffic.framesIn++;
      traffic.reads++;
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      events.text(bytes, 0, bytes.length);
    }
  }

  /** Ends the connection as the server or the network would. */
  public void end(int code, String reason) {
    if (!ended) {
      ended = true;
      chat.connectionEnded(this);
      events.closed(code, reason);
    }
  }

  /**
   * Ends the connection because its user joined on another one. A paused client does not notice.
   */
  void takenOver() {
    if (!ended) {
      ended = true;
      chat.connectionEnded(this);
      if (!paused) {
        events.closed(4009, "taken over");
      }
    }
  }

  @Override
  public int write(FrameBatch batch) {
    DataInputStream frames =
        new DataInputStream(new ByteArrayInputStream(batch.bytes(), 0, batch.length()));
    int count = batch.frames();
    try {
      for (int i = 0; i < count; i++) {
        handle(ClientFrames.opcode(frames), ClientFrames.payload(frames));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("incomplete frame", e);
    }
    batch.clear();
    return full ? 0 : count;
  }

  private void handle(int opcode, byte[] payload) {
    if (opcode == FrameBatch.OP_TEXT && !ended) {
      JsonObject frame = JsonParser.parseString(VirtualChat.text(payload)).getAsJsonObject();
      if (full) {
        unsent.add(frame);
      } else {
        chat.message(this, frame);
      }
    }
  }

  @Override
  public boolean isWritable() {
    return open && !ended && unsent.isEmpty();
  }

  @Override
  public void awaitWritable() {
    chat.after(
        1_000,
        () -> {
          if (isWritable()) {
            events.writable();
          }
        });
  }

  @Override
  public void pauseReading() {
    paused = true;
  }

  @Override
  public void resumeReading() {
    paused = false;
    while (!paused && !unread.isEmpty()) {
      receive(unread.remove());
    }
  }

  @Override
  public void close(int code) {
    chat.after(1_000, () -> end(code, "closed by the client"));
  }

  @Override
  public void abort() {
    if (!ended) {
      ended = true;
      chat.connectionEnded(this);
    }
  }
}
