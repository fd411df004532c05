package dev.chatflow.client;

/** Makes text from a server or other users safe on a terminal. Stateless. */
public final class Printable {

  private Printable() {}

  /**
   * Returns the text with escaped control characters, which move the cursor or write the clipboard,
   * and escaped marks that change the text direction.
   */
  public static String of(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(point -> {
          int kind = Character.getType(point);
          if (kind == Character.CONTROL
              || kind == Character.LINE_SEPARATOR
              || kind == Character.PARAGRAPH_SEPARATOR
              || isBidi(point)) {
            shown.append("\\u%04x".formatted(point));
          } else {
            shown.appendCodePoint(point);
          }
        });
    return shown.toString();
  }

  private static boolean isBidi(int point) {
    return (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  }
}
