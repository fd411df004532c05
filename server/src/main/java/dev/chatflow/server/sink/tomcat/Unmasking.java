package dev.chatflow.server.sink.tomcat;

import jakarta.websocket.Extension;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.tomcat.websocket.Transformation;
import org.apache.tomcat.websocket.TransformationResult;
import org.apache.tomcat.websocket.WsFrameBase;
import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unmasks client frames eight bytes at a time, in front of Tomcat's own code, which works byte by
 * byte and handles the rest of each piece.
 *
 * <p>The members of Tomcat are looked up once; the self-test checks their meaning with a masked
 * ping. Thread-safe; an installed object belongs to its connection's reading thread.
 */
final class Unmasking {

  private static final Logger log = LoggerFactory.getLogger(Unmasking.class);

  private static final String TOMCATS = "UnmaskTransformation";

  private final Field frame;
  private final Field transformation;
  private final Field key;
  private final Field input;
  private final VarHandle keyIndex;
  private final VarHandle length;
  private final VarHandle taken;

  private Unmasking() throws ReflectiveOperationException {
    frame = field(WsSession.class, "wsFrame");
    transformation = field(WsFrameBase.class, "transformation");
    key = field(WsFrameBase.class, "mask");
    input = field(WsFrameBase.class, "inputBuffer");
    MethodHandles.Lookup base =
        MethodHandles.privateLookupIn(WsFrameBase.class, MethodHandles.lookup());
    keyIndex = base.findVarHandle(WsFrameBase.class, "maskIndex", int.class);
    length = base.findVarHandle(WsFrameBase.class, "payloadLength", long.class);
    taken = base.findVarHandle(WsFrameBase.class, "payloadWritten", long.class);
  }

  /** Returns null if this Tomcat has other members; the log reports it. */
  static @Nullable Unmasking find() {
    try {
      return new Unmasking();
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      log.info("this Tomcat unmasks byte by byte: {}", e.getMessage());
      return null;
    }
  }

  private static Field field(Class<?> owner, String name) throws ReflectiveOperationException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /**
   * Replaces Tomcat's unmasking in a connection that has not been read yet. A connection with an
   * extension, which changes bytes as well, is left unchanged, and so are all if the JVM forbids
   * setting such a field.
   */
  void install(WsSession session) {
    try {
      if (frame.get(session) instanceof WsFrameBase base
          && transformation.get(base) instanceof Transformation own
          && own.getClass().getSimpleName().equals(TOMCATS)) {
        transformation.set(base, new InFront(base, own));
      }
    } catch (IllegalAccessException _) {
      // Tomcat then works byte by byte
    }
  }

  /**
   * Unmasks as many groups of eight bytes as both buffers and the payload have.
   *
   * @param key four bytes
   * @param keyIndex index of the first byte, 0 to 3; the same afterwards
   * @param left remaining bytes of the payload
   * @return number of bytes unmasked
   */
  static int take(ByteBuffer from, ByteBuffer to, byte[] key, int keyIndex, long left) {
    int bytes = (int) Math.min(left, Math.min(from.remaining(), to.remaining())) & ~7;
    if (bytes > 0) {
      long mask = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        mask = mask << Byte.SIZE | (key[(keyIndex + i) & 3] & 0xff);
      }
      for (int i = 0; i < bytes; i += Long.BYTES) {
        to.putLong(from.getLong() ^ mask);
      }
    }
    return bytes;
  }

  /** Both buffers are Tomcat's, and big-endian. */
  @SuppressWarnings("unchecked") // the type of a message's parts is not public
  private final class InFront implements Transformation {
    private final WsFrameBase base;
    private final Transformation own;
    private final byte[] mask;
    private final ByteBuffer from;

    InFront(WsFrameBase base, Transformation own) throws IllegalAccessException {
      this.base = base;
      this.own = own;
      this.mask = (byte[]) key.get(base);
      this.from = (ByteBuffer) input.get(base);
    }

    @Override
    public TransformationResult getMoreData(byte opCode, boolean fin, int rsv, ByteBuffer to)
        throws IOException {
      long before = (long) taken.get(base);
      int bytes = take(from, to, mask, (int) keyIndex.get(base), (long) length.get(base) - before);
      if (bytes > 0) {
        taken.setVolatile(base, before + bytes);
      }
      return own.getMoreData(opCode, fin, rsv, to);
    }

    @Override
    public void setNext(Transformation next) {
      own.setNext(next);
    }

    @Override
    public boolean validateRsvBits(int bits) {
      return own.validateRsvBits(bits);
    }

    @Override
    public Extension getExtensionResponse() {
      return own.getExtensionResponse();
    }

    @Override
    public boolean validateRsv(int rsv, byte opCode) {
      return own.validateRsv(rsv, opCode);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public List sendMessagePart(List parts) throws IOException {
      return own.sendMessagePart(parts);
    }

    @Override
    public void close() {
      own.close();
    }
  }
}
