package dev.chatflow.message;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The names of one kind met lately, so that one in a line costs no new object, and whoever keeps it
 * shares it.
 *
 * <p>Any thread: entries are immutable, and who overwrites one costs another thread a new object at
 * most. A fixed number of entries, each overwritten by the next name of its slot.
 *
 * @param <T> what a name is made to
 */
final class MetLately<T> {

  private record Met<T>(String name, T made) {}

  private final @Nullable Met<T>[] slots;
  private final Function<String, T> make;

  /**
   * Remembers nothing yet.
   *
   * @param slots a power of two
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // no array of a generic type
  MetLately(int slots, Function<String, T> make) {
    this.slots = new Met[slots];
    this.make = make;
  }

  /** Of the name that those bytes of ASCII spell, which are known to be well-formed. */
  T of(byte[] bytes, int from, int to) {
    int slot = (int) IdHash.of(bytes, from, to) & (slots.length - 1);
    Met<T> known = slots[slot];
    if (known != null && isSpelt(known.name(), bytes, from, to)) {
      return known.made();
    }
    String name = new String(bytes, from, to - from, StandardCharsets.US_ASCII);
    Met<T> met = new Met<>(name, make.apply(name));
    slots[slot] = met;
    return met.made();
  }

  private static boolean isSpelt(String value, byte[] bytes, int from, int to) {
    if (value.length() != to - from) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (value.charAt(i - from) != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
