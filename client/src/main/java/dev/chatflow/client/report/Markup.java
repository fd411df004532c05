package dev.chatflow.client.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Escapes text and reads resources for charts and pages. Stateless. */
final class Markup {
  private Markup() {}

  /** Escapes text for markup and attributes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /**
   * Returns a file in the package of a class.
   *
   * @throws IllegalStateException if the program was packaged without it
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
