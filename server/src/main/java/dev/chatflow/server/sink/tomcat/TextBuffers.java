package dev.chatflow.server.sink.tomcat;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.apache.tomcat.websocket.WsRemoteEndpointImplBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the two buffers in which Tomcat encodes and gathers texts: a connection with the direct
 * sink does not need them, but would hold them all its life.
 *
 * <p>Control frames do not use them, which the self-test checks by having pings answered and by
 * closing. Texts through the public API no longer work. Thread-safe.
 */
final class TextBuffers {

  private static final Logger log = LoggerFactory.getLogger(TextBuffers.class);

  /** Empty, so that nothing is shared through it. */
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final Field output;
  private final Field encoder;

  private TextBuffers() throws NoSuchFieldException {
    output = field("outputBuffer");
    encoder = field("encoderBuffer");
  }

  private static Field field(String name) throws NoSuchFieldException {
    Field field = WsRemoteEndpointImplBase.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Returns null if this Tomcat has other members; the log reports it. */
  static @Nullable TextBuffers find() {
    try {
      return new TextBuffers();
    } catch (NoSuchFieldException | RuntimeException e) {
      log.info("connections of this Tomcat keep unneeded buffers: {}", e.getMessage());
      return null;
    }
  }

  /** Removes them from a connection that has sent nothing yet, unless the JVM does not allow it. */
  void drop(WsRemoteEndpointImplBase remote) {
    try {
      output.set(remote, NONE);
      encoder.set(remote, NONE);
    } catch (IllegalAccessException _) {
      // the connection then holds slightly more
    }
  }
}
