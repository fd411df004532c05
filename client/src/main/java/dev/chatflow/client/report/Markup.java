package dev.chatflow.client.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What pictures and pages are put together from. Stateless. */
final class Markup {
  private Markup() {}

  /** Text from outside as it may stand in markup and in its attributes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /**
   * A file that lies beside a class in the program.
   *
   * @throws IllegalStateException when the program was packaged without it
   */
  static String resource(Class<?> owner, String name) {
    try (InputStream file = owner.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is not in the program");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
