import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("DefaultPackage") // where WarLauncher is
class WarLauncherTest {

  @TempDir Path directory;

  @Test
  void unpacksFilesInDirectories() throws IOException {
    Path archive = archive("index.html", "WEB-INF/lib/a.jar");

    WarLauncher.unpack(archive, directory.resolve("out"));

    assertThat(directory.resolve("out/index.html")).hasContent("index.html");
    assertThat(directory.resolve("out/WEB-INF/lib/a.jar")).hasContent("WEB-INF/lib/a.jar");
  }

  @Test
  void refusesAnEntryThatLeavesTheDirectory() throws IOException {
    Path archive = archive("index.html", "../outside");

    assertThatThrownBy(() -> WarLauncher.unpack(archive, directory.resolve("out")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("../outside");
    assertThat(directory.resolve("outside")).doesNotExist();
  }

  @Test
  void removesTheDirectoryOfAProcessThatIsGone() throws IOException {
    Path left = unpacked("chatflow-1");

    WarLauncher.removeLeftovers(directory);

    assertThat(left).doesNotExist();
  }

  @Test
  void keepsWhatIsNotItsOwn() throws IOException {
    Path foreign = Files.createDirectory(directory.resolve("chatflow-without-lock"));
    Path other = unpacked("elsewhere");

    WarLauncher.removeLeftovers(directory);

    assertThat(foreign).exists();
    assertThat(other).exists();
  }

  @Test
  void keepsTheDirectoryOfAnOwnerThatLives() throws IOException {
    Path used = unpacked("chatflow-2");
    try (FileChannel channel = FileChannel.open(used.resolve(".lock"), StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {

      WarLauncher.removeLeftovers(directory);

      assertThat(lock.isValid()).isTrue();
      assertThat(used).exists();
    }
  }

  /** Anybody may put one there, and whoever opened it would wait for ever. */
  @Test
  void lockThatIsAPipeHoldsNobodyUp() throws Exception {
    Path trap = Files.createDirectory(directory.resolve("chatflow-3"));
    Process pipe = new ProcessBuilder("mkfifo", trap.resolve(".lock").toString()).start();
    assertThat(pipe.waitFor()).isZero();

    assertTimeoutPreemptively(Duration.ofMinutes(1), () -> WarLauncher.removeLeftovers(directory));

    assertThat(trap).exists();
  }

  @Test
  void keepsTheDirectoryOfSomebodyElse() throws IOException {
    Path elsewhere = unpacked("elsewhere");
    Path link = Files.createSymbolicLink(directory.resolve("chatflow-4"), elsewhere);
    Path foreign = Path.of("/");
    if (System.getProperty("user.name").equals("root")) {
      foreign = unpacked("chatflow-5");
      UserPrincipal nobody =
          foreign.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
      Files.setOwner(foreign, nobody);
    }

    WarLauncher.removeLeftovers(directory);

    assertThat(link).isSymbolicLink();
    assertThat(elsewhere).exists();
    assertThat(WarLauncher.isOwn(foreign)).isFalse();
    assertThat(foreign).exists();
  }

  private Path unpacked(String name) throws IOException {
    Path path = Files.createDirectory(directory.resolve(name));
    Files.createFile(path.resolve(".lock"));
    return path;
  }

  /** An archive whose entries hold their own names. */
  private Path archive(String... names) throws IOException {
    Path archive = directory.resolve("test.war");
    try (OutputStream file = Files.newOutputStream(archive);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      for (String name : names) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(name.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return archive;
  }
}
