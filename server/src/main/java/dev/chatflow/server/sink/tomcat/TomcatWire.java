package dev.chatflow.server.sink.tomcat;

import dev.chatflow.server.sink.Timer;
import dev.chatflow.server.sink.Wire;
import jakarta.websocket.CloseReason;
import jakarta.websocket.RemoteEndpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.apache.tomcat.websocket.WsSession;

/** A connection of Tomcat, by its public API and Tomcat's own suspend and resume. */
final class TomcatWire implements Wire {

  /**
   * How long a blocking send may take, in ms: with Tomcat's default of 20 s, clients that stop
   * reading and then close keep threads spinning; much shorter values reset healthy connections on
   * a busy machine.
   */
  private static final Long SEND_TIMEOUT_MILLIS = 5_000L;

  /**
   * What Tomcat gives a close frame to leave, unless its code is 1000, in place of 50 ms: a peer
   * that is a moment behind, or a busy machine, would see the connection break instead.
   */
  private static final String CLOSE_TIMEOUT =
      "org.apache.tomcat.websocket.ABNORMAL_SESSION_CLOSE_SEND_TIMEOUT";

  private final WsSession session;
  private final RemoteEndpoint.Basic remote;
  private final ReadState readState;
  private final Reading reading;

  /** Whether {@link #gather} is in force, of the one thread that sends. */
  private boolean gathers;

  TomcatWire(WsSession session, ReadState readState, Timer timer) {
    this.session = session;
    this.readState = readState;
    this.reading = new Reading(new SessionSwitch(), timer);
    session
        .getUserProperties()
        .put("org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT", SEND_TIMEOUT_MILLIS);
    session.setMaxIdleTimeout(0); // the heartbeat finds dead peers; a paused session is not idle
    remote = session.getBasicRemote();
  }

  @Override
  public void gather() throws IOException {
    remote.setBatchingAllowed(true);
    gathers = true;
  }

  /**
   * Tomcat ends the gathering itself when the client closes, and what is sent then overtakes what
   * was gathered, in the middle of a frame: nothing more is sent.
   */
  @Override
  public void text(String payload) throws IOException {
    if (gathers && !remote.getBatchingAllowed()) {
      throw new ClosedChannelException(); // by the client
    }
    remote.sendText(payload);
  }

  /**
   * Empties the buffer before the gathering ends: a pong of Tomcat's in between would overtake what
   * is in it. The gathering ends because a close would flush with a blocking send.
   */
  @Override
  public void flush() throws IOException {
    gathers = false;
    remote.flushBatch();
    remote.setBatchingAllowed(false);
  }

  @Override
  public void ping() throws IOException {
    remote.sendPing(ByteBuffer.allocate(0));
  }

  /** A slow consumer has had its time. */
  @Override
  public void close(int code, String reason) {
    try {
      if (code != dev.chatflow.room.CloseReason.SLOW_CONSUMER.code()) {
        session.getUserProperties().put(CLOSE_TIMEOUT, SEND_TIMEOUT_MILLIS);
      }
      session.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(code), reason));
    } catch (IOException | IllegalStateException _) {
      // It has gone already, which is what we want.
    }
  }

  @Override
  public void abort(int code, String reason) {
    CloseReason said = new CloseReason(CloseReason.CloseCodes.getCloseCode(code), reason);
    CloseReason noted = new CloseReason(CloseReason.CloseCodes.CLOSED_ABNORMALLY, reason);
    session.doClose(said, noted, true);
  }

  @Override
  public boolean isAnswered() {
    return session.isClosed();
  }

  @Override
  public long framesRead() {
    return readState.frames(session);
  }

  @Override
  public void suspend() {
    reading.stop();
  }

  @Override
  public void resume() {
    reading.resume();
  }

  /** Tomcat's own switch; a session that has closed meanwhile needs none. */
  private final class SessionSwitch implements Reading.Switch {
    @Override
    public void suspend() {
      try {
        session.suspend();
      } catch (IllegalStateException _) {
        // Closed.
      }
    }

    @Override
    public void resume() {
      try {
        session.resume();
      } catch (IllegalStateException _) {
        // Closed.
      }
    }

    @Override
    public boolean isStopping() {
      return readState.isStopping(session);
    }
  }
}
