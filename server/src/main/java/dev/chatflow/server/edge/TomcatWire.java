package dev.chatflow.server.edge;

import jakarta.websocket.CloseReason;
import jakarta.websocket.RemoteEndpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.tomcat.websocket.WsSession;

/** A connection of Tomcat, by its public API and Tomcat's own suspend and resume. */
final class TomcatWire implements Wire {

  /**
   * How long a blocking send may take, in ms: with Tomcat's default of 20 s, clients that stop
   * reading and then close keep threads spinning; much shorter values reset healthy connections on
   * a busy machine.
   */
  private static final Long SEND_TIMEOUT_MILLIS = 5_000L;

  private final WsSession session;
  private final RemoteEndpoint.Basic remote;

  TomcatWire(WsSession session) {
    this.session = session;
    session
        .getUserProperties()
        .put("org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT", SEND_TIMEOUT_MILLIS);
    session.setMaxIdleTimeout(0); // the heartbeat finds dead peers; a paused session is not idle
    remote = session.getBasicRemote();
  }

  @Override
  public void gather() throws IOException {
    remote.setBatchingAllowed(true);
  }

  @Override
  public void text(String payload) throws IOException {
    remote.sendText(payload);
  }

  @Override
  public void flush() throws IOException {
    remote.setBatchingAllowed(false); // flushes; a close must not, for that would block
  }

  @Override
  public void ping() throws IOException {
    remote.sendPing(ByteBuffer.allocate(0));
  }

  @Override
  public void close(int code, String reason) {
    try {
      session.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(code), reason));
    } catch (IOException | IllegalStateException _) {
      // It has gone already, which is what we want.
    }
  }

  @Override
  public void suspend() {
    session.suspend();
  }

  @Override
  public void resume() {
    session.resume();
  }
}
