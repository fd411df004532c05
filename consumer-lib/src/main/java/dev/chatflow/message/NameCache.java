package dev.chatflow.message;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of recently seen names, so that a name in a line creates no new object and is shared.
 *
 * <p>Thread-safe: entries are immutable, and a concurrent overwrite costs at most one new object.
 * It has a fixed number of slots, each overwritten by the next name in it.
 *
 * @param <T> the type created from a name
 */
final class NameCache<T> {

  private record Met<T>(String name, T made) {}

  private final @Nullable Met<T>[] slots;
  private final Function<String, T> make;

  /**
   * Creates an empty cache.
   *
   * @param slots a power of two
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // no array of a generic type
  NameCache(int slots, Function<String, T> make) {
    this.slots = new Met[slots];
    this.make = make;
  }

  /** Returns the object for a name in well-formed ASCII bytes. */
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
