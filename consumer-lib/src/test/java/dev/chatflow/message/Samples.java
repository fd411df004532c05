package dev.chatflow.message;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The golden samples of {@code docs/protocol/samples}, for the tests of every module. */
public final class Samples {

  private static final Path FOLDER = Path.of("docs", "protocol", "samples");

  private Samples() {}

  /** Returns the bytes of a sample, by file name. */
  public static byte[] bytes(String name) {
    try {
      return Files.readAllBytes(folder().resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a sample as text. */
  public static String text(String name) {
    return new String(bytes(name), StandardCharsets.UTF_8);
  }

  /** Returns the names with this prefix, in order. */
  public static List<String> names(String prefix) {
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.startsWith(prefix))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tests run in a module's folder or in the project's. */
  private static Path folder() {
    return Files.isDirectory(FOLDER) ? FOLDER : Path.of("..").resolve(FOLDER);
  }
}
