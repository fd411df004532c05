package dev.chatflow.server.sink.tomcat;

import java.lang.reflect.Field;
import org.apache.coyote.http11.upgrade.UpgradeInfo;
import org.apache.tomcat.websocket.WsFrameBase;
import org.apache.tomcat.websocket.WsSession;
import org.apache.tomcat.websocket.server.WsFrameServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads state of Tomcat's sessions that has no public accessor: whether reading is about to stop,
 * and the number of frames read. Changes nothing. Thread-safe.
 *
 * <p>A Tomcat without these fields works too; one log line per start reports it.
 */
final class ReadState {

  private static final Logger log = LoggerFactory.getLogger(ReadState.class);

  /** The state in which the container's thread processes read data and was asked to stop. */
  private static final String STOPPING = "SUSPENDING_PROCESS";

  private final @Nullable Field frame;
  private final @Nullable Field state;
  private final @Nullable Field counts;

  ReadState() {
    this.frame = field(WsSession.class, "wsFrame");
    this.state = field(WsFrameBase.class, "readState");
    this.counts = field(WsFrameServer.class, "upgradeInfo");
    if (frame == null || state == null) {
      log.warn("this Tomcat hides its read state: a paused connection may be resumed too early");
    }
    if (frame == null || counts == null) {
      log.warn("this Tomcat hides its count of frames: pings have no limit");
    }
  }

  private static @Nullable Field field(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException | RuntimeException _) {
      return null;
    }
  }

  /** Returns whether this Tomcat has all the fields. */
  boolean isVisible() {
    return frame != null && state != null && counts != null;
  }

  boolean isStopping(WsSession session) {
    return STOPPING.equals(String.valueOf(shown(session, state)));
  }

  /** Returns the number of frames read; 0 if it is hidden. */
  long frames(WsSession session) {
    return shown(session, counts) instanceof UpgradeInfo info ? info.getMsgsReceived() : 0;
  }

  private @Nullable Object shown(WsSession session, @Nullable Field field) {
    if (frame == null || field == null) {
      return null;
    }
    try {
      Object ofSession = frame.get(session);
      return field.getDeclaringClass().isInstance(ofSession) ? field.get(ofSession) : null;
    } catch (IllegalAccessException _) {
      return null;
    }
  }
}
