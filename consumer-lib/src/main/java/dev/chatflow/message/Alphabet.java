package dev.chatflow.message;

/**
 * A set of ASCII characters allowed in a field.
 *
 * <p>Immutable and thread-safe. One table serves texts and raw bytes, so client frames and broker
 * lines follow the same rules.
 */
public enum Alphabet {
  /** For usernames and room ids. */
  NAME("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"),
  /** For message ids. */
  ID(NAME.letters + ".:"),
  /** For user ids. */
  USER(ID.letters + "@|"),
  /** For server ids, connection ids and addresses: printable, never escaped in JSON. */
  PLAIN(ID.letters + " !#$%&'()*+,/;<=>?@[]^`{|}~");

  private final String letters;
  private final long below64; // one bit per character
  private final long from64;

  Alphabet(String letters) {
    this.letters = letters;
    this.below64 = bits(letters, 0);
    this.from64 = bits(letters, Long.SIZE);
  }

  private static long bits(String letters, int first) {
    return letters
        .chars()
        .filter(c -> c >= first && c < first + Long.SIZE)
        .mapToLong(c -> 1L << (c - first))
        .reduce(0, (a, b) -> a | b);
  }

  /** Returns whether {@code c}, a char or a signed byte, is in the set. */
  public boolean has(int c) {
    if (c < 0 || c >= 2 * Long.SIZE) {
      return false;
    }
    return (((c < Long.SIZE ? below64 : from64) >>> c) & 1) != 0; // shift counts are modulo 64
  }

  /** Returns whether {@code text} consists of {@code min} to {@code max} of its characters. */
  public boolean spells(String text, int min, int max) {
    if (text.length() < min || text.length() > max) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!has(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
