package dev.chatflow.server.launch.trial;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A server that asks for tokens and speaks TLS, for trying it out: its files, in a folder for this
 * user alone, its settings, and what to do with it first.
 */
public final class Trial {

  private static final String USER = "1";
  private static final Duration DAY = Duration.ofDays(1);

  private final OwnCertificate certificate;
  private final OwnTokenKey tokenKey;

  private Trial(Path directory) {
    certificate = OwnCertificate.in(directory);
    tokenKey = OwnTokenKey.in(directory);
  }

  /** This user's own. */
  public static Trial usual() {
    return in(Path.of(System.getProperty("user.home"), ".chatflow", "secure"));
  }

  static Trial in(Path directory) {
    return new Trial(directory);
  }

  /**
   * Makes what is not there yet.
   *
   * @throws IOException naming what cannot be made
   */
  public void make() throws IOException, InterruptedException {
    certificate.make();
    tokenKey.make();
  }

  /** What servers are told, as system properties. */
  public Map<String, String> settings() {
    return Map.of(
        "chatflow.tls.certificate", certificate.certificate().toString(),
        "chatflow.tls.key", certificate.key().toString(),
        "chatflow.token.keys", tokenKey.file().toString());
  }

  /**
   * Whom to trust, and first commands, in lines.
   *
   * @param port of a server of this machine
   * @throws IOException when no token can be made
   */
  public String describe(int port) throws IOException {
    Path authority = certificate.authority();
    Path key = tokenKey.file();
    return """
      trust   %s
      link    https://localhost:%d/#token=%s (user %s in every room, for a day)
      load    ./chatflow load --cacert %s --token-key %s wss://localhost:%d/chat
      curl    curl --cacert %s -H "Authorization: Bearer $(./chatflow token --key %s --user %s --room '*')" https://localhost:%d/api/rooms
    """
        .formatted(
            authority,
            port,
            tokenKey.token(USER, DAY),
            USER,
            authority,
            key,
            port,
            authority,
            key,
            USER,
            port);
  }
}
