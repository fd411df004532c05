package dev.chatflow.identity;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the token of a request: in {@code Authorization: Bearer} or, because pages cannot set that
 * for a WebSocket, among the offered subprotocols. Never in a URL, which ends up in logs and
 * browser histories. Stateless.
 */
public final class Credentials {

  /** The subprotocol of this protocol's version. */
  public static final String SUBPROTOCOL = "chatflow.v1";

  private static final String IN_SUBPROTOCOL = "token.";
  private static final String BEARER = "bearer ";

  private Credentials() {}

  /**
   * Returns the token of a request, valid or not.
   *
   * @param authorization the lines of that header
   * @param offered the lines of {@code Sec-WebSocket-Protocol}
   * @return null if there is none, or more than one, because other programs might choose a
   *     different one
   */
  public static @Nullable String token(List<String> authorization, List<String> offered) {
    Stream<String> bearers =
        authorization.stream()
            .filter(line -> line.regionMatches(true, 0, BEARER, 0, BEARER.length()))
            .map(line -> line.substring(BEARER.length()).strip());
    Stream<String> among =
        offered.stream()
            .flatMap(line -> Stream.of(line.split(",", -1)))
            .map(String::strip)
            .filter(one -> one.startsWith(IN_SUBPROTOCOL))
            .map(one -> one.substring(IN_SUBPROTOCOL.length()));
    List<String> tokens = Stream.concat(bearers, among).toList();
    return tokens.size() == 1 ? tokens.getFirst() : null;
  }
}
