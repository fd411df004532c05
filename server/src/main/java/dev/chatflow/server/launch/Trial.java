package dev.chatflow.server.launch;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What a server is given so that only who has a token comes in: files that are made once and kept,
 * the settings that name them, and what to do first.
 */
public sealed interface Trial permits KeyTrial, SecureTrial {

  /** Whom the first token is for. */
  String USER = "1";

  /** How long the first token is good. */
  Duration DAY = Duration.ofDays(1);

  /** TLS and tokens, with files in a folder of the user's home that only the user may read. */
  static Trial secure() {
    return SecureTrial.in(folder(System.getenv()));
  }

  /**
   * Returns the folder of {@link #secure} in this environment. Its {@code HOME} comes first, as for
   * a shell; Java's property {@code user.home} ignores it.
   */
  static Path folder(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? System.getProperty("user.home") : home, ".chatflow", "secure");
  }

  /** Tokens, by the key in a file. */
  static Trial withKey(Path file) {
    return new KeyTrial(new OwnTokenKey(file));
  }

  /**
   * Makes what is not there yet.
   *
   * @throws IOException naming what cannot be made
   */
  void make() throws IOException, InterruptedException;

  /** What servers are told, as system properties. */
  Map<String, String> settings();

  /**
   * First commands, in lines.
   *
   * @param page of a server of this machine
   * @throws IOException when no token can be made
   */
  String describe(URI page) throws IOException;
}
