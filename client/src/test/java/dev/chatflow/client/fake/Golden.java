package dev.chatflow.client.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts as they must be, as test resources. */
public final class Golden {
  private static final Path WANTED = Path.of("src", "test", "resources", "golden");
  private static final Path FOUND = Path.of("target", "golden");

  private Golden() {}

  /** Refuses a text that is not the one of this name, and writes it where it can be compared. */
  public static void matches(String name, String text) {
    try {
      Path found = Files.createDirectories(FOUND).resolve(name);
      Files.writeString(found, text);
      Path wanted = WANTED.resolve(name);
      assertThat(text)
          .as("%s is not as it was; if it should be, copy %s there", wanted, found)
          .isEqualTo(Files.exists(wanted) ? Files.readString(wanted) : "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
