package dev.chatflow.chat.link;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A network in which the test acts as the servers. */
public final class FakeNet implements Net {

  /** One connection, with the client's frames and the test's answers. */
  public final class Line implements Socket {
    public final URI address;
    public final @Nullable String token;
    private final Events on;
    private final Deque<String> sent = new ArrayDeque<>();
    public int closed; // the close code

    Line(URI address, @Nullable String token, Events on) {
      this.address = address;
      this.token = token;
      this.on = on;
    }

    @Override
    public void send(String text) {
      if (answersPings && text.equals(Frames.PING)) {
        serverSends("{\"messageType\":\"PONG\",\"status\":200}");
      } else {
        sent.add(text);
      }
    }

    @Override
    public void close(int code) {
      closed = code;
    }

    public void opens() {
      on.opened();
    }

    public void serverSends(String frame) {
      on.received(frame);
    }

    public void ends(int code, String reason) {
      on.ended(code, reason);
    }

    /** Returns the next frame that the client sent. */
    public JsonObject next() {
      String frame = sent.poll();
      if (frame == null) {
        throw new AssertionError("the client has sent nothing");
      }
      return Objects.requireNonNull(Frames.read(frame));
    }

    /** Returns all remaining frames that the client sent. */
    public List<String> rest() {
      List<String> rest = List.copyOf(sent);
      sent.clear();
      return rest;
    }
  }

  /** Whether its servers answer pings automatically. */
  public boolean answersPings;

  public final List<Line> lines = new ArrayList<>();

  /** HTTP responses, in order; without one the server is unreachable. */
  public final Deque<Answer> answers = new ArrayDeque<>();

  public final List<String> requests = new ArrayList<>();

  @Override
  public Socket open(URI address, @Nullable String token, Loop loop, Events on) {
    Line line = new Line(address, token, on);
    lines.add(line);
    return line;
  }

  @Override
  public Answer get(URI address, @Nullable String token) throws IOException {
    requests.add("GET " + address + " " + token);
    return answer();
  }

  @Override
  public Answer post(URI address, @Nullable String token, String key, String json)
      throws IOException {
    requests.add("POST " + address + " " + token + " " + key + " " + json);
    return answer();
  }

  private Answer answer() throws IOException {
    Answer answer = answers.poll();
    if (answer == null) {
      throw new IOException("no route");
    }
    return answer;
  }
}
