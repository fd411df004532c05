package dev.chatflow.server.sink.tomcat;

import dev.chatflow.server.sink.Timer;
import dev.chatflow.server.sink.Wire;
import jakarta.websocket.CloseReason;
import jakarta.websocket.RemoteEndpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.apache.tomcat.websocket.WsSession;

/** A connection of Tomcat, through its public API and Tomcat's own suspend and resume. */
final class TomcatWire implements Wire {

  /**
   * Maximum time of a blocking send, in ms. With Tomcat's default of 20 s, clients that stop
   * reading and then close keep threads spinning; much shorter values reset healthy connections on
   * a busy machine.
   */
  private static final Long SEND_TIMEOUT_MILLIS = 5_000L;

  /**
   * Tomcat's time for sending a close frame, unless its code is 1000, instead of 50 ms: otherwise a
   * peer that is slightly behind, or on a busy machine, would see the connection break.
   */
  private static final String CLOSE_TIMEOUT =
      "org.apache.tomcat.websocket.ABNORMAL_SESSION_CLOSE_SEND_TIMEOUT";

  private final WsSession session;
  private final RemoteEndpoint.Basic remote;
  private final ReadState readState;
  private final Reading reading;

  /** Whether {@link #gather} is active. Used only by the sending thread. */
  private boolean gathers;

  TomcatWire(WsSession session, ReadState readState, Timer timer) {
    this.session = session;
    this.readState = readState;
    this.reading = new Reading(new SessionSwitch(), timer);
    session
        .getUserProperties()
        .put("org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT", SEND_TIMEOUT_MILLIS);
    session.setMaxIdleTimeout(0); // the heartbeat finds dead peers; a paused connection is not idle
    remote = session.getBasicRemote();
  }

  @Override
  public void gather() throws IOException {
    remote.setBatchingAllowed(true);
    gathers = true;
  }

  /**
   * Sends a text. Tomcat ends the gathering itself when the client closes, and later texts would
   * overtake the gathered ones in the middle of a frame, so nothing more is sent.
   */
  @Override
  public void text(String payload) throws IOException {
    if (gathers && !remote.getBatchingAllowed()) {
      throw new ClosedChannelException(); // by the client
    }
    remote.sendText(payload);
  }

  /**
   * Empties the buffer before the gathering ends: a pong of Tomcat in between would overtake the
   * buffered frames. The gathering ends because a close would flush with a blocking send.
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

  /** Ends the connection of a slow consumer without a grace period. */
  @Override
  public void close(int code, String reason) {
    try {
      if (code != dev.chatflow.room.CloseReason.SLOW_CONSUMER.code()) {
        session.getUserProperties().put(CLOSE_TIMEOUT, SEND_TIMEOUT_MILLIS);
      }
      session.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(code), reason));
    } catch (IOException | IllegalStateException _) {
      // it has ended already
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

  /** Tomcat's switch between threads; a connection that has closed needs none. */
  private final class SessionSwitch implements Reading.Switch {
    @Override
    public void suspend() {
      try {
        session.suspend();
      } catch (IllegalStateException _) {
        // closed
      }
    }

    @Override
    public void resume() {
      try {
        session.resume();
      } catch (IllegalStateException _) {
        // closed
      }
    }

    @Override
    public boolean isStopping() {
      return readState.isStopping(session);
    }
  }
}
