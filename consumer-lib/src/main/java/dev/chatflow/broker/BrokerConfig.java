package dev.chatflow.broker;

import dev.chatflow.config.ConfigValues;
import dev.chatflow.config.Key;
import java.net.URI;
import java.time.Duration;

/**
 * Where the broker is and how long it may be silent.
 *
 * @param uri {@code amqp://user:password@host:port/vhost}, or {@code amqps}
 * @param connectTimeout bound on one attempt to connect
 * @param heartbeat silence after which a connection counts as lost
 */
public record BrokerConfig(URI uri, Duration connectTimeout, Duration heartbeat) {

  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  public static final Duration HEARTBEAT = Duration.ofSeconds(10);

  /** What is told to who gave a password as an option. */
  public static final String PASSWORD_SHOWN =
      "chatflow: everybody on this machine can read the password in --broker (ps);"
          + " set CHATFLOW_AMQP_URI in the environment instead";

  public BrokerConfig {
    if (!"amqp".equals(uri.getScheme()) && !"amqps".equals(uri.getScheme())) {
      throw new IllegalArgumentException(
          "broker URI must start with amqp:// or amqps://, not " + masked(uri));
    }
    if (uri.getHost() == null) {
      throw new IllegalArgumentException("broker URI names no host: " + masked(uri));
    }
  }

  public static BrokerConfig of(URI uri) {
    return new BrokerConfig(uri, CONNECT_TIMEOUT, HEARTBEAT);
  }

  /** Reads a key that names a broker; its password is shown nowhere. */
  public static <K extends Enum<K> & Key> BrokerConfig of(ConfigValues<K> values, K key) {
    String text = values.text(key);
    try {
      BrokerConfig broker = of(URI.create(text));
      values.inForce(key, broker.maskedUri());
      return broker;
    } catch (IllegalArgumentException _) {
      String shown = text.replaceFirst("//.*@", "//***@");
      values.inForce(key, shown);
      values.wrong(key, shown, key.allowed().words());
      return of(URI.create(key.defaultText()));
    }
  }

  /** Whether a URI, which may be wrong otherwise, has a password in it. */
  public static boolean holdsPassword(String uri) {
    return uri.matches("[a-z]+://[^/@]*:[^/@]+@.*");
  }

  /** The URI without its password. */
  public String maskedUri() {
    return masked(uri);
  }

  private static String masked(URI uri) {
    return uri.toString().replaceFirst("//([^:/@]*):[^@]*@", "//$1:***@");
  }

  @Override
  public String toString() {
    return maskedUri();
  }
}
