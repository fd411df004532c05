package dev.chatflow.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A 64-bit hash of a message id's bytes.
 *
 * <p>Stateless: any thread. Eight bytes at a time are folded in by multiplication and rotation; the
 * end mixes so that every input bit moves about half of the output's. All 64 bits are equally good:
 * among the 2^20 ids a server remembers, two different ones of one user meet with a chance below
 * 10^-10. It is the same on every machine, but not secret: who makes two of his own ids collide
 * loses his own second message.
 */
final class IdHash {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  // Odd constants with well-spread bits: the golden ratio's and, for the end, two found by search
  // to let each bit reach all others (the finalizer of MurmurHash3).
  private static final long SPREAD = 0x9E3779B97F4A7C15L;
  private static final long MIX_1 = 0xFF51AFD7ED558CCDL;
  private static final long MIX_2 = 0xC4CEB9FE1A85EC53L;

  private IdHash() {}

  /** The hash of several parts, each with its length. */
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
