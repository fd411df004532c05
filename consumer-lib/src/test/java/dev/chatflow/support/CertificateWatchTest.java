package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import javax.management.RuntimeOperationsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateWatchTest {

  private final Path certificate;
  private final Path key;
  private final CertificateWatch watch;
  private int readings;
  private boolean unusable;

  CertificateWatchTest(@TempDir Path directory) throws IOException {
    certificate = Files.writeString(directory.resolve("certificate.pem"), "first");
    key = Files.writeString(directory.resolve("key.pem"), "first");
    watch = new CertificateWatch(List.of(certificate, key), this::read);
  }

  private void read() {
    readings++;
    if (unusable) {
      throw new RuntimeOperationsException(new IllegalArgumentException("not the key of it"));
    }
  }

  private static void change(Path file, long seconds) throws IOException {
    Files.setLastModifiedTime(file, FileTime.fromMillis(seconds * 1_000));
  }

  @Test
  void filesThatDoNotChangeAreNotReadAgain() {
    watch.run();
    watch.run();
    assertThat(readings).isZero();
  }

  /** A certificate whose key is not written yet would be unusable. */
  @Test
  void changeIsReadOnceTheFileIsStable() throws IOException {
    change(certificate, 1);
    watch.run();
    change(key, 2);
    watch.run();
    assertThat(readings).isZero();
    watch.run();
    assertThat(readings).isEqualTo(1);
    watch.run();
    assertThat(readings).isEqualTo(1);
  }

  @Test
  void temporarilyMissingFileIsWaitedFor() throws IOException {
    Files.delete(key);
    watch.run();
    watch.run();
    assertThat(readings).isZero();
    Files.writeString(key, "second");
    change(key, 3);
    watch.run();
    watch.run();
    assertThat(readings).isEqualTo(1);
  }

  @Test
  void pairThatCannotBeUsedIsLeftUntilItChanges() throws IOException {
    unusable = true;
    change(certificate, 1);
    try (CapturedLog log = CapturedLog.of(CertificateWatch.class)) {
      watch.run();
      watch.run();
      watch.run();
      assertThat(log.lines()).singleElement().asString().endsWith("not the key of it");
    }
    assertThat(readings).isEqualTo(1);
    unusable = false;
    change(key, 2);
    watch.run();
    watch.run();
    assertThat(readings).isEqualTo(2);
  }
}
