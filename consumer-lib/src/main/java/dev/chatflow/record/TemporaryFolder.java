package dev.chatflow.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder, readable only by its owner, with an archive that is deleted when the consumer ends. One
 * thread.
 */
final class TemporaryFolder implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(TemporaryFolder.class);

  private final Path folder =
      Path.of(System.getProperty("java.io.tmpdir"), "chatflow-record-" + UUID.randomUUID());

  /** Returns the file of the archive. */
  Path file() {
    return folder.resolve("record.db");
  }

  void make() throws IOException {
    Files.createDirectory(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  @Override
  public void close() {
    if (!Files.exists(folder)) {
      return;
    }
    try {
      for (Path file : files()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      log.warn("{} could not be deleted: {}", folder, e.toString());
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
