package dev.chatflow.client.observe;

import dev.chatflow.client.CommandFailure;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the broker for AMQP and its management API, with one user for both.
 *
 * <p>The management API of {@code amqp://user:password@host:5672/vhost} is on port 15672 of the
 * same host, or on the port after {@code #}; {@code http://user:password@host:15672} reports the
 * AMQP port itself.
 *
 * @param metrics for the embedded broker, the metrics page of its server, {@code
 *     http://host:8081/metrics}; null for RabbitMQ
 */
public record BrokerAddress(
    @Nullable URI amqp,
    URI management,
    @Nullable URI metrics,
    String user,
    String password,
    String virtualHost) {
  private static final int MANAGEMENT_PORT = 15672;
  private static final String METRICS = "/metrics";

  public static BrokerAddress parse(String text) {
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw wrong();
    }
    String scheme = String.valueOf(uri.getScheme());
    boolean isAmqp = scheme.equals("amqp") || scheme.equals("amqps");
    if (uri.getHost() == null || !(isAmqp || scheme.equals("http") || scheme.equals("https"))) {
      throw wrong();
    }
    String[] user = decode(uri.getRawUserInfo(), "guest:guest").split(":", 2);
    String path = uri.getRawPath();
    String vhost = path == null || path.length() < 2 ? "/" : decode(path.substring(1), "/");
    return new BrokerAddress(
        isAmqp ? uri : null,
        management(uri, isAmqp),
        !isAmqp && uri.getRawUserInfo() == null && METRICS.equals(path) ? uri : null,
        user[0],
        user.length > 1 ? user[1] : "",
        vhost);
  }

  private static URI management(URI uri, boolean isAmqp) {
    if (!isAmqp) {
      return URI.create(uri.getScheme() + "://" + uri.getHost() + ":" + portOf(uri));
    }
    String port = uri.getFragment();
    if (port != null && !port.matches("[0-9]{1,5}")) {
      throw wrong();
    }
    return URI.create("http://" + uri.getHost() + ":" + (port == null ? MANAGEMENT_PORT : port));
  }

  private static int portOf(URI uri) {
    return uri.getPort() < 0 ? MANAGEMENT_PORT : uri.getPort();
  }

  /** Returns host and port without the user; safe to print. */
  public String printed() {
    URI uri = amqp == null ? management : amqp;
    return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
  }

  String authorization() {
    String both = user + ":" + password;
    return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
  }

  private static String decode(@Nullable String text, String otherwise) {
    return text == null ? otherwise : URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Returns an error without the text, which may contain a password. */
  private static CommandFailure wrong() {
    return CommandFailure.usage(
        "--broker must be amqp://user:password@host:5672/vhost, with #PORT of the management"
            + " API if it is not 15672; or http://user:password@host:15672; or for the embedded"
            + " broker its server's metrics page, http://host:8081/metrics");
  }

  @Override
  public String toString() {
    return printed();
  }
}
