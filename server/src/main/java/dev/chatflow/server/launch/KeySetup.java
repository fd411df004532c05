package dev.chatflow.server.launch;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/** A setup with tokens only, with a key in a file of the caller. */
record KeySetup(OwnTokenKey tokenKey) implements TokenSetup {

  @Override
  public void make() throws IOException {
    tokenKey.make();
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("chatflow.token.keys", tokenKey.file().toString());
  }

  @Override
  public String describe(URI page) throws IOException {
    Path key = tokenKey.file();
    return """
      link    %s#token=%s (user %s in every room, for a day)
      more    chatflow token --key %s --user 2 --room '*' --link %s
    """
        .formatted(page, tokenKey.token(USER, DAY), USER, key, page);
  }
}
