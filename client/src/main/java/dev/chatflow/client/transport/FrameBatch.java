package dev.chatflow.client.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A buffer of masked client frames for one write.
 *
 * <p>Call {@link #begin} with the payload's length, write the payload to {@link #bytes} at the
 * returned offset, and call {@link #end}. Every frame has a new mask from a fast generator, because
 * a zero mask would reduce the server's work. Belongs to one thread.
 */
public final class FrameBatch {
  public static final int OP_TEXT = 0x1;
  public static final int OP_BINARY = 0x2;
  public static final int OP_CLOSE = 0x8;
  public static final int OP_PONG = 0xa;
  private static final int FIN = 0x80;
  private static final int MASKED = 0x80;
  private static final int MAX_FRAMES = 256;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int[] ends = new int[MAX_FRAMES];
  private int frames;
  private int length;
  private int payloadAt;
  private long random;

  public FrameBatch(int capacityBytes, long seed) {
    bytes = new byte[capacityBytes];
    random = seed | 1;
  }

  /** Returns whether a frame with this payload still fits. */
  public boolean hasSpaceFor(int payloadLength) {
    return frames < MAX_FRAMES && length + payloadLength + 8 <= bytes.length;
  }

  /** Starts a frame and returns the offset of its payload. Payloads are below 64 KiB. */
  public int begin(int opcode, int payloadLength) {
    bytes[length++] = (byte) (FIN | opcode);
    if (payloadLength < 126) {
      bytes[length++] = (byte) (MASKED | payloadLength);
    } else {
      bytes[length++] = (byte) (MASKED | 126);
      bytes[length++] = (byte) (payloadLength >>> 8);
      bytes[length++] = (byte) payloadLength;
    }
    payloadAt = length + 4;
    length = payloadAt + payloadLength;
    return payloadAt;
  }

  /** Masks the payload of the current frame. */
  public void end() {
    int key = nextKey();
    int at = payloadAt - 4;
    bytes[at] = (byte) key;
    bytes[at + 1] = (byte) (key >>> 8);
    bytes[at + 2] = (byte) (key >>> 16);
    bytes[at + 3] = (byte) (key >>> 24);
    long wide = (key & 0xffff_ffffL) | (long) key << 32;
    int i = payloadAt;
    for (; i + 8 <= length; i += 8) {
      LONGS.set(bytes, i, (long) LONGS.get(bytes, i) ^ wide);
    }
    for (; i < length; i++) {
      bytes[i] ^= (byte) (key >>> ((i - payloadAt) % 4 * 8));
    }
    ends[frames++] = length;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public int frames() {
    return frames;
  }

  /** Returns the number of complete frames in the first {@code written} bytes. */
  public int framesWithin(int written) {
    int whole = 0;
    while (whole < frames && ends[whole] <= written) {
      whole++;
    }
    return whole;
  }

  public void clear() {
    frames = 0;
    length = 0;
  }

  private int nextKey() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return (int) (random >>> 16);
  }
}
