package dev.chatflow.client.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compares texts with golden files in the test resources. */
public final class Golden {
  private static final Path EXPECTED = Path.of("src", "test", "resources", "golden");
  private static final Path ACTUAL = Path.of("target", "golden");

  private Golden() {}

  /**
   * Requires that a text equals the golden file of this name, and writes the text to the target
   * directory for comparison.
   */
  public static void matches(String name, String text) {
    try {
      Path actual = Files.createDirectories(ACTUAL).resolve(name);
      Files.writeString(actual, text);
      Path expected = EXPECTED.resolve(name);
      assertThat(text)
          .as("%s differs; if that is intended, replace it with %s", expected, actual)
          .isEqualTo(Files.exists(expected) ? Files.readString(expected) : "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
