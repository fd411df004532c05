package dev.chatflow.server;

import dev.chatflow.identity.AccessConfig;
import dev.chatflow.message.ClientRules;
import dev.chatflow.message.UserIds;
import dev.chatflow.server.edge.EdgeConfig;
import dev.chatflow.server.edge.Origins;
import dev.chatflow.server.edge.TrustedProxies;
import dev.chatflow.server.sink.tomcat.SinkMode;
import dev.chatflow.support.ConfigValues;
import java.util.Locale;

/** Composes the configuration of the connections from the values of the keys. */
record EdgeComposer(ConfigValues<ServerKey> values) {

  EdgeConfig compose() {
    return new EdgeConfig(
        values.whole(ServerKey.SENDER_WINDOW),
        values.whole(ServerKey.MAX_CONNECTIONS),
        values.wholeOr(ServerKey.MAX_PER_ADDRESS, 0),
        values.whole(ServerKey.HTTP_IN_FLIGHT),
        values.whole(ServerKey.HISTORY),
        values.wholeOr(ServerKey.RATE_LIMIT, 0),
        values.time(ServerKey.HEARTBEAT),
        values.time(ServerKey.JOIN_TIMEOUT),
        SinkMode.valueOf(values.oneOf(ServerKey.SINK).toUpperCase(Locale.ROOT)),
        values.time(ServerKey.SEND_DEADLINE),
        proxies(),
        origins(),
        access(),
        new ClientRules(
            UserIds.valueOf(values.oneOf(ServerKey.USER_ID).toUpperCase(Locale.ROOT)),
            values.whole(ServerKey.MAX_TEXT)));
  }

  /**
   * Returns the allowed origins. A server bound to loopback serves only this machine, unless a
   * proxy or access rules are configured.
   */
  private Origins origins() {
    boolean local =
        values.address(ServerKey.ADDRESS).isLoopbackAddress()
            && values.given(ServerKey.AUTH) == null
            && values.text(ServerKey.TOKEN_KEYS).isEmpty();
    String text = values.text(ServerKey.ORIGINS);
    try {
      return Origins.parse(text, local);
    } catch (IllegalArgumentException e) {
      String allowed = ServerKey.ORIGINS.allowed().words();
      values.wrong(ServerKey.ORIGINS, text, allowed + ": " + e.getMessage());
      return Origins.OWN;
    }
  }

  private AccessConfig access() {
    return AccessConfig.of(
        values,
        new AccessConfig.Keys<>(
            ServerKey.ADDRESS,
            ServerKey.AUTH,
            ServerKey.TOKEN_KEYS,
            ServerKey.TOKEN_ISSUER,
            ServerKey.TOKEN_AUDIENCE,
            ServerKey.TOKEN_CLAIMS,
            ServerKey.DENIED_USERS,
            ServerKey.RATE_LIMIT));
  }

  private TrustedProxies proxies() {
    String text = values.text(ServerKey.TRUSTED_PROXIES);
    try {
      return TrustedProxies.parse(text);
    } catch (IllegalArgumentException e) {
      String allowed = ServerKey.TRUSTED_PROXIES.allowed().words();
      values.wrong(ServerKey.TRUSTED_PROXIES, text, allowed + ": " + e.getMessage());
      return TrustedProxies.parse("");
    }
  }
}
