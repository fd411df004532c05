package dev.chatflow.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder for its owner alone that holds a record until the consumer ends. One thread. */
final class TemporaryFolder implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(TemporaryFolder.class);

  private final Path folder;

  TemporaryFolder() throws IOException {
    folder = Files.createTempDirectory("chatflow-record-");
  }

  /** Where the record is written. */
  Path file() {
    return folder.resolve("record.db");
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : List.copyOf(files.toList())) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      log.warn("{} could not be deleted: {}", folder, e.toString());
    }
  }
}
