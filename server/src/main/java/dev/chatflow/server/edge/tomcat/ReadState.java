package dev.chatflow.server.edge.tomcat;

import java.lang.reflect.Field;
import org.apache.tomcat.websocket.WsFrameBase;
import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a state of Tomcat's sessions that has no public accessor: whether reading is about to
 * stop. Any thread.
 *
 * <p>A Tomcat without these fields is used all the same; the log says so when it is made, once a
 * start.
 */
final class ReadState {

  private static final Logger log = LoggerFactory.getLogger(ReadState.class);

  /** The container's thread processes what it has read, and was told to stop. */
  private static final String STOPPING = "SUSPENDING_PROCESS";

  private final @Nullable Field frame;
  private final @Nullable Field state;

  ReadState() {
    this.frame = field(WsSession.class, "wsFrame");
    this.state = field(WsFrameBase.class, "readState");
    if (!isVisible()) {
      log.warn("this Tomcat hides its read state: a paused connection may be resumed too early");
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

  /** Whether this Tomcat shows its state. */
  boolean isVisible() {
    return frame != null && state != null;
  }

  boolean isStopping(WsSession session) {
    if (frame == null || state == null) {
      return false;
    }
    try {
      Object ofSession = frame.get(session);
      return ofSession != null && STOPPING.equals(String.valueOf(state.get(ofSession)));
    } catch (IllegalAccessException _) {
      return false;
    }
  }
}
