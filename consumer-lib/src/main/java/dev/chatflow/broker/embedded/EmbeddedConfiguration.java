package dev.chatflow.broker.embedded;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/**
 * The configuration of the embedded broker.
 *
 * @param password of its only user, generated at each start
 */
record EmbeddedConfiguration(String password) {

  static final String USER = "guest";
  static final String ADDRESS = "127.0.0.1";

  private static final String PORT_NAME = "AMQP";
  private static final String USERS = "users";

  /** As many channels per connection as RabbitMQ allows. */
  private static final String SESSION_LIMIT_KEY = "qpid.port.sessionCountLimit";

  private static final int SESSION_LIMIT = 2_047;

  static EmbeddedConfiguration random() {
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    return new EmbeddedConfiguration(HexFormat.of().formatHex(secret));
  }

  /**
   * Returns the launcher's attributes: the initial configuration, and the settings needed to read
   * it.
   */
  Map<String, Object> systemAttributes() {
    return Map.of(
        "type",
        "Memory",
        "initialConfigurationLocation",
        "data:;charset=utf-8,"
            + URLEncoder.encode(json(), StandardCharsets.UTF_8).replace("+", "%20"),
        "startupLoggedToSystemOut",
        false,
        "context",
        Map.of(
            "queue.behaviourOnUnknownDeclareArgument",
            "IGNORE",
            SESSION_LIMIT_KEY,
            String.valueOf(SESSION_LIMIT)));
  }

  /** Returns the attributes of a port that is created again while the broker runs. */
  Map<String, Object> portAttributes(int port) {
    return Map.of(
        "name", PORT_NAME,
        "type", "AMQP",
        "port", port,
        "bindingAddress", ADDRESS,
        "authenticationProvider", USERS);
  }

  /** Returns the configuration. The alias "defaultAlias" defines the virtual host "/". */
  private String json() {
    return """
    {
      "name": "chatflow",
      "modelVersion": "9.1",
      "authenticationproviders": [{
        "name": "%s",
        "type": "Plain",
        "secureOnlyMechanisms": [],
        "users": [{"name": "%s", "type": "managed", "password": "%s"}]
      }],
      "ports": [{
        "name": "%s",
        "type": "AMQP",
        "port": "0",
        "bindingAddress": "%s",
        "authenticationProvider": "%s",
        "virtualhostaliases": [
          {"name": "nameAlias", "type": "nameAlias"},
          {"name": "defaultAlias", "type": "defaultAlias"}
        ]
      }],
      "virtualhostnodes": [{
        "name": "default",
        "type": "Memory",
        "defaultVirtualHostNode": "true",
        "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}"
      }]
    }
    """
        .formatted(USERS, USER, password, PORT_NAME, ADDRESS, USERS);
  }
}
