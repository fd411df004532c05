package dev.chatflow.broker;

import dev.chatflow.support.ConfigKey;
import dev.chatflow.support.ConfigValues;
import dev.chatflow.support.Secrets;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The address of the broker and its timeouts.
 *
 * @param uris the nodes, at least one: {@code amqp://user:password@host:port/vhost}, or {@code
 *     amqps}; they differ only in host and port
 * @param authorities a file of certificates to verify a broker by {@code amqps}; null to use the
 *     system's
 * @param connectTimeout bound on one attempt to connect
 * @param heartbeat after two such periods of silence, a connection counts as lost
 */
public record BrokerConfig(
    List<URI> uris, @Nullable Path authorities, Duration connectTimeout, Duration heartbeat) {

  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  public static final Duration HEARTBEAT = Duration.ofSeconds(5);

  /** The warning for a password given as an option. */
  public static final String PASSWORD_SHOWN =
      "chatflow: all users of this machine can read the password in --broker (ps);"
          + " set CHATFLOW_AMQP_URI in the environment instead";

  /** Scheme with user, hosts, and the rest; a user's name or password may contain a comma. */
  private static final Pattern PARTS = Pattern.compile("([a-z]+://(?:[^/]*@)?)([^/@]*)(/.*)?");

  /** The replacement character of a decoder for invalid bytes. */
  private static final String UNDECODED = "\uFFFD";

  /** The host names of AWS's managed RabbitMQ. */
  private static final Pattern AMAZON_MQ =
      Pattern.compile(".*[.]mq[.][a-z0-9-]+[.](amazonaws[.]com([.]cn)?|on[.]aws)[.]?");

  public BrokerConfig {
    uris = List.copyOf(uris);
    if (uris.isEmpty()) {
      throw new IllegalArgumentException("broker URI is missing");
    }
    for (URI uri : uris) {
      check(uri, uris.getFirst());
    }
    decodes(uris.getFirst());
    if (Set.copyOf(uris).size() < uris.size()) {
      throw new IllegalArgumentException("an address of the broker is named twice");
    }
  }

  private static void check(URI uri, URI first) {
    if (!"amqp".equals(uri.getScheme()) && !"amqps".equals(uri.getScheme())) {
      throw new IllegalArgumentException(
          "broker URI must start with amqp:// or amqps://, not " + masked(uri.toString()));
    }
    if (uri.getHost() == null) {
      throw new IllegalArgumentException("broker URI names no host: " + masked(uri.toString()));
    }
    if (AMAZON_MQ.matcher(uri.getHost().toLowerCase(Locale.ROOT)).matches()) {
      throw new IllegalArgumentException(
          "Amazon MQ accepts logs (streams) but loses their entries: use RabbitMQ on machines of"
              + " your own, not "
              + uri.getHost());
    }
    if (!uri.getScheme().equals(first.getScheme())
        || !Objects.equals(uri.getRawUserInfo(), first.getRawUserInfo())
        || !virtualHost(uri).equals(virtualHost(first))) {
      throw new IllegalArgumentException(
          "addresses of one broker may differ only in host and port: " + masked(uri.toString()));
    }
  }

  private static String virtualHost(URI uri) {
    String path = uri.getRawPath();
    return path == null || path.isEmpty() ? "/" : path;
  }

  public static BrokerConfig of(URI uri) {
    return new BrokerConfig(List.of(uri), null, CONNECT_TIMEOUT, HEARTBEAT);
  }

  /**
   * Returns the same broker, verified with the certificates of a file; null to use the system's.
   */
  BrokerConfig vouchedForBy(@Nullable Path file) {
    return new BrokerConfig(uris, file, connectTimeout, heartbeat);
  }

  /**
   * Parses one address or several: {@code amqp://user:password@host-1:5672,host-2:5672/vhost}, or
   * whole URIs separated by commas.
   *
   * @throws IllegalArgumentException if it is invalid; the message contains no password
   */
  public static BrokerConfig parse(String text) {
    List<URI> uris =
        Stream.of(text.split(",(?=[a-z]+://)", -1)).flatMap(BrokerConfig::addresses).toList();
    return new BrokerConfig(uris, null, CONNECT_TIMEOUT, HEARTBEAT);
  }

  private static Stream<URI> addresses(String text) {
    Matcher parts = PARTS.matcher(text);
    if (!parts.matches()) {
      return Stream.of(uri(text));
    }
    String rest = Objects.requireNonNullElse(parts.group(3), "");
    return Stream.of(parts.group(2).split(",", -1))
        .map(host -> uri(parts.group(1) + host.strip() + rest));
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException _) { // its message contains the whole text
      throw new IllegalArgumentException("broker URI is none: " + masked(text));
    }
  }

  /**
   * Reads the keys of the broker's address and authorities. Error messages contain no password.
   *
   * @param authorities the key of a file, which may be empty
   */
  public static <K extends Enum<K> & ConfigKey> BrokerConfig of(
      ConfigValues<K> values, K key, K authorities) {
    String text = values.text(key);
    try {
      BrokerConfig broker = parse(text).vouchedForBy(authorities(values, authorities));
      values.inForce(key, broker.maskedUri());
      if (broker.authorities != null && !broker.isEncrypted()) {
        String without = "of use without amqps:// in " + key.environmentName();
        values.wrong(authorities, values.text(authorities), without);
      }
      return broker;
    } catch (IllegalArgumentException e) {
      String shown =
          text.replaceFirst(
              "(?s)^([a-z]+://)?.*@",
              "$1***@"); // the user may be a password typed in the wrong field
      String why = Secrets.masked(String.valueOf(e.getMessage()), text);
      values.inForce(key, shown);
      values.wrong(key, shown, key.allowed().words() + ": " + why.replace(text, shown));
      return of(URI.create(key.defaultText()));
    }
  }

  /** Reads the file once, so that an invalid one stops the start. */
  private static <K extends Enum<K> & ConfigKey> @Nullable Path authorities(
      ConfigValues<K> values, K key) {
    String text = values.text(key);
    if (text.isEmpty()) {
      return null;
    }
    try {
      Path file = Path.of(text);
      BrokerAuthorities.context(file);
      return file;
    } catch (IOException | GeneralSecurityException | InvalidPathException e) {
      values.wrong(key, text, key.allowed().words() + ": " + e.getMessage());
      return null;
    }
  }

  /** Returns whether connections to the broker use TLS. */
  boolean isEncrypted() {
    return "amqps".equals(uris.getFirst().getScheme());
  }

  /** Returns whether one or more URIs, even invalid ones, contain a password. */
  public static boolean holdsPassword(String uri) {
    return !Secrets.masked(uri).equals(uri);
  }

  /** Returns all addresses without the password. */
  public String maskedUri() {
    String first = masked(uris.getFirst().toString());
    Matcher parts = PARTS.matcher(first);
    if (uris.size() == 1 || !parts.matches()) {
      return first;
    }
    return parts.group(1)
        + uris.stream().map(BrokerConfig::hostAndPort).collect(Collectors.joining(","))
        + Objects.requireNonNullElse(parts.group(3), "");
  }

  private static String hostAndPort(URI uri) {
    return uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
  }

  private static String masked(String text) {
    return Secrets.masked(text);
  }

  /** Returns the user of all addresses, decoded as UTF-8; null for the broker's default user. */
  @Nullable String user() {
    return user(uris.getFirst());
  }

  private static @Nullable String user(URI uri) {
    String both = uri.getRawUserInfo();
    return both == null ? null : decoded("user", both.split(":", 2)[0]);
  }

  /** Returns the password of all addresses, decoded as UTF-8; null if there is none. */
  @Nullable String password() {
    return password(uris.getFirst());
  }

  private static @Nullable String password(URI uri) {
    String both = uri.getRawUserInfo();
    return both == null || !both.contains(":") ? null : decoded("password", both.split(":", 2)[1]);
  }

  /** Returns the virtual host of all addresses, decoded as UTF-8. */
  String virtualHost() {
    return decodedVirtualHost(uris.getFirst());
  }

  private static String decodedVirtualHost(URI uri) {
    String path = virtualHost(uri);
    return path.equals("/") ? path : decoded("virtual host", path.substring(1));
  }

  private static void decodes(URI uri) {
    String _ = user(uri);
    String _ = password(uri);
    String _ = decodedVirtualHost(uri);
  }

  /** Decodes percent escapes; a plus sign is kept. */
  private static String decoded(String what, String raw) {
    String decoded = URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    if (decoded.contains(UNDECODED) && !raw.contains(UNDECODED) && !raw.contains("%EF%BF%BD")) {
      throw new IllegalArgumentException(
          "the " + what + " in the broker URI is not UTF-8 after its percent escapes are decoded");
    }
    return decoded;
  }

  @Override
  public String toString() {
    return maskedUri();
  }
}
