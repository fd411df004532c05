package dev.chatflow.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A 64-bit hash of a message id's bytes.
 *
 * <p>Stateless and thread-safe. Folds in eight bytes at a time by multiplication and rotation; a
 * final mix makes every input bit affect about half of the output bits. Among the 2^20 ids a server
 * remembers, two different ids of one user collide with a probability below 10^-10. The hash is the
 * same on every machine, but not secret: a user who crafts two colliding ids loses only their own
 * second message.
 */
final class IdHash {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  // Odd constants with well-spread bits: the golden ratio and, in the final mix, two found by
  // search so that each bit reaches all others (as in MurmurHash3's finalizer).
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final long MIX_1 = 0xFF51AFD7ED558CCDL;
  private static final long MIX_2 = 0xC4CEB9FE1A85EC53L;

  private IdHash() {}

  /** Returns the hash of several parts, each with its length. */
  static long of(byte[] bytes, LineScan.Span... parts) {
    long hash = 0;
    for (LineScan.Span part : parts) {
      hash = fold(hash, of(bytes, part.from(), part.to()));
    }
    return mixed(hash);
  }

  static long of(byte[] bytes, int from, int to) {
    long hash = (to - from) * SPREAD;
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      hash = fold(hash, (long) LONGS.get(bytes, at));
    }
    long rest = 0;
    for (; at < to; at++) {
      rest = (rest << Byte.SIZE) | (bytes[at] & 0xFF);
    }
    return mixed(fold(hash, rest));
  }

  private static long fold(long hash, long word) {
    return (Long.rotateLeft(hash, 27) ^ mixed(word + SPREAD)) * SPREAD;
  }

  private static long mixed(long value) {
    long hash = (value ^ (value >>> 33)) * MIX_1;
    hash = (hash ^ (hash >>> 33)) * MIX_2;
    return hash ^ (hash >>> 33);
  }
}
