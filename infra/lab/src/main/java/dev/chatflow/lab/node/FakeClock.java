package dev.chatflow.lab.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The wall clock of one server, set by libfaketime: it is off by some time, and may be set again
 * while the server runs. The monotonic clock is the machine's.
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
   * A clock that is right so far.
   *
   * @param file what it is read from, once a second
   * @throws Lacking when libfaketime is not installed
   */
  public static FakeClock at(Path file) throws IOException, Lacking {
    if (!Files.exists(LIBRARY)) {
      throw new Lacking("package faketime is not installed: no " + LIBRARY);
    }
    FakeClock clock = new FakeClock(file);
    clock.setOff(0);
    return clock;
  }

  /** So many seconds before the right time; behind it when negative. */
  public void setOff(long seconds) throws IOException {
    Files.writeString(file, String.format("%+d", seconds));
  }

  /** What a process needs to go by it. */
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
