package dev.chatflow.server.launch;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file with the embedded broker's URI, readable only by its owner, for other programs of the same
 * user; {@link #close} removes it. One thread.
 */
record BrokerFile(Path file) implements AutoCloseable {

  /** Writes the file atomically. */
  static BrokerFile write(String name, URI uri) throws LaunchException {
    Path file = Path.of(name).toAbsolutePath();
    Path directory = file.getParent();
    try {
      Path fresh =
          Files.createTempFile(
              directory,
              ".chatflow-broker",
              "",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(fresh, uri + "\n");
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return new BrokerFile(file);
    } catch (IOException | UnsupportedOperationException e) {
      throw LaunchException.failed("cannot write the broker's address to " + file + ": " + e, e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // its password is no longer valid
    }
  }
}
