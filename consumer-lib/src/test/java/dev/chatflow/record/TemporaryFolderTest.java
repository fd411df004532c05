package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class TemporaryFolderTest {

  @Test
  void itIsReadableOnlyByItsOwnerAndGoesWithItsFiles() throws Exception {
    TemporaryFolder temporary = new TemporaryFolder();
    Path folder = temporary.file().getParent();
    assertThat(folder).as("a start that fails leaves nothing").doesNotExist();
    temporary.make();
    Files.createFile(temporary.file());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    temporary.close();
    temporary.close();
    assertThat(folder).doesNotExist();
  }
}
