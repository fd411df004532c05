package dev.chatflow.server.sink.tomcat;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.apache.tomcat.websocket.WsRemoteEndpointImplBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the two buffers from a connection in which Tomcat encodes and gathers texts: whose texts
 * leave by the direct sink needs neither, and holds them all its life.
 *
 * <p>Control frames pass them by; that they do is found out by the self-test, which has pings
 * answered and closes. A text by the public API would not get out any more. Thread-safe.
 */
final class TextBuffers {

  private static final Logger log = LoggerFactory.getLogger(TextBuffers.class);

  /** Of no bytes, so that nothing is shared in it. */
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

  /** Null when this Tomcat has other members; the log says so. */
  static @Nullable TextBuffers find() {
    try {
      return new TextBuffers();
    } catch (NoSuchFieldException | RuntimeException e) {
      log.info("connections of this Tomcat keep buffers that they do not need: {}", e.getMessage());
      return null;
    }
  }

  /** Of a connection that has sent nothing yet; it keeps them where the JVM does not allow this. */
  void drop(WsRemoteEndpointImplBase remote) {
    try {
      output.set(remote, NONE);
      encoder.set(remote, NONE);
    } catch (IllegalAccessException _) {
      // It holds a little more, then.
    }
  }
}
