package dev.chatflow.server.launch;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** A setup with TLS and tokens, to try them out on one machine. */
record TlsSetup(OwnCertificate certificate, OwnTokenKey tokenKey) implements TokenSetup {

  static TlsSetup in(Path directory) {
    return new TlsSetup(
        OwnCertificate.in(directory), new OwnTokenKey(directory.resolve("token.key")));
  }

  @Override
  public void make() throws IOException, InterruptedException {
    certificate.make();
    tokenKey.make();
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(
        "chatflow.tls.certificate", certificate.certificate().toString(),
        "chatflow.tls.key", certificate.key().toString(),
        "chatflow.token.keys", tokenKey.file().toString());
  }

  @Override
  public String describe(URI page) throws IOException {
    Path authority = certificate.authority();
    Path key = tokenKey.file();
    return """
      trust   %s
      link    %s#token=%s (user %s in every room, for a day)
      load    ./chatflow load --cacert %s --token-key %s wss://localhost:%d/chat
      curl    curl --cacert %s -H "Authorization: Bearer $(./chatflow token --key %s --user %s --room '*')" %sapi/rooms
    """
        .formatted(
            authority,
            page,
            tokenKey.token(USER, DAY),
            USER,
            authority,
            key,
            page.getPort(),
            authority,
            key,
            USER,
            page);
  }
}
