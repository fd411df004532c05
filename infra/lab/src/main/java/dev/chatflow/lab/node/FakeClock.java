package dev.chatflow.lab.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The wall clock of one server, set by libfaketime, with an offset that may change while the server
 * runs. The monotonic clock is the machine's.
 */
public final class FakeClock {

  private static final Path LIBRARY =
      Path.of(
          "/usr/lib/" + System.getProperty("os.arch").replace("amd64", "x86_64") + "-linux-gnu",
          "faketime",
          "libfaketimeMT.so.1");

  private final Path file;

  private FakeClock(Path file) {
    this.file = file;
  }

  /**
   * Creates a clock without an offset.
   *
   * @param file file with the offset, read once a second
   * @throws Lacking if libfaketime is not installed
   */
  public static FakeClock at(Path file) throws IOException, Lacking {
    if (!Files.exists(LIBRARY)) {
      throw new Lacking("package faketime is not installed: no " + LIBRARY);
    }
    FakeClock clock = new FakeClock(file);
    clock.setOff(0);
    return clock;
  }

  /** Sets the offset in seconds; negative values are behind the right time. */
  public void setOff(long seconds) throws IOException {
    Files.writeString(file, String.format("%+d", seconds));
  }

  /** Returns the environment of a process that uses this clock. */
  public Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD",
        LIBRARY.toString(),
        "FAKETIME_TIMESTAMP_FILE",
        file.toString(),
        "FAKETIME_CACHE_DURATION",
        "1",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1");
  }
}
