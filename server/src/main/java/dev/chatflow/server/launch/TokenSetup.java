package dev.chatflow.server.launch;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A setup in which a server requires tokens: files that are created once and kept, the settings
 * that name them, and the first commands.
 */
public sealed interface TokenSetup permits KeySetup, TlsSetup {

  /** The user of the first token. */
  String USER = "1";

  /** Validity of the first token. */
  Duration DAY = Duration.ofDays(1);

  /**
   * Returns a setup with TLS and tokens, with files in a folder of the user's home that only the
   * user can read.
   */
  static TokenSetup secure() {
    return TlsSetup.in(folder(System.getenv()));
  }

  /**
   * Returns the folder of {@link #secure} in this environment. Its {@code HOME} has precedence, as
   * for a shell; Java's property {@code user.home} ignores it.
   */
  static Path folder(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? System.getProperty("user.home") : home, ".chatflow", "secure");
  }

  /** Returns a setup with tokens, with the key in a file. */
  static TokenSetup withKey(Path file) {
    return new KeySetup(new OwnTokenKey(file));
  }

  /**
   * Creates the missing files.
   *
   * @throws IOException naming what cannot be created
   */
  void make() throws IOException, InterruptedException;

  /** Returns the settings of servers, as system properties. */
  Map<String, String> settings();

  /**
   * Returns the first commands, in lines.
   *
   * @param page the page of a server on this machine
   * @throws IOException if no token can be created
   */
  String describe(URI page) throws IOException;
}
