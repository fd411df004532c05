package dev.chatflow.message;

/**
 * A set of ASCII characters of which a field may consist.
 *
 * <p>Immutable: any thread. One table serves texts and raw bytes, so that a client frame and a
 * broker line are judged alike.
 */
public enum Alphabet {
  /** Of usernames and room ids. */
  NAME("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"),
  /** Of message ids. */
  ID(NAME.letters + ".:"),
  /** Of user ids. */
  USER(ID.letters + "@"),
  /** Of server ids, session ids and addresses: printable, never escaped in JSON. */
  PLAIN(ID.letters + " !#$%&'()*+,/;<=>?@[]^`{|}~");

  private final String letters;
  private final long below64; // one bit a character
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

  /** Whether {@code c}, a char or a signed byte, belongs to it. */
  public boolean has(int c) {
    if (c < 0 || c >= 2 * Long.SIZE) {
      return false;
    }
    return (((c < Long.SIZE ? below64 : from64) >>> c) & 1) != 0; // shifts count modulo 64
  }

  /** Whether {@code text} consists of {@code min} to {@code max} of its characters. */
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
