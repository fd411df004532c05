package dev.chatflow.identity;

import dev.chatflow.support.AllowedValues;
import dev.chatflow.support.ConfigKey;
import dev.chatflow.support.ConfigValues;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sources of token keys and the denied users.
 *
 * @param files with public keys in PEM, a set of keys, or a secret
 * @param addresses of sets of keys
 * @param required what every token must name
 * @param names the names of claims in tokens
 * @param denied a file of users, one per line; null for none
 * @param ratePerSecond requests of one address; 0 = no limit
 */
public record AccessConfig(
    List<Path> files,
    List<URI> addresses,
    RequiredClaims required,
    ClaimNames names,
    @Nullable Path denied,
    int ratePerSecond) {

  /** The configuration keys of a program for access. */
  public record Keys<K>(
      K address, K auth, K tokens, K issuer, K audience, K claims, K denied, K rate) {}

  /** The valid sources of keys, for people. */
  public static final String RULE =
      "up to 8 files or https addresses, comma-separated: public keys (PEM), secrets of 32 bytes or"
          + " more, JWKS, or an identity provider's discovery document";

  /** The form of the setting that maps claims, for people. */
  public static final String CLAIMS_RULE = ClaimNames.RULE;

  /** Access without tokens. */
  public static final AccessConfig OPEN =
      new AccessConfig(List.of(), List.of(), RequiredClaims.NONE, ClaimNames.USUAL, null, 0);

  private static final int MAX_SOURCES = 8;

  public AccessConfig {
    files = List.copyOf(files);
    addresses = List.copyOf(addresses);
  }

  /** The allowed values of the authentication setting. */
  public static final AllowedValues.OneOf AUTH = new AllowedValues.OneOf(List.of("token", "none"));

  /**
   * Reads it from a program's keys. A chat without authentication must not be exposed to a network
   * by accident: no token is needed on loopback, while other addresses require an explicit {@code
   * none}.
   */
  public static <K extends Enum<K> & ConfigKey> AccessConfig of(
      ConfigValues<K> values, Keys<K> keys) {
    return sources(values, keys).withRate(values.wholeOr(keys.rate(), 0));
  }

  /** Returns the same with a limit on requests per second of one address. */
  public AccessConfig withRate(int perSecond) {
    return new AccessConfig(files, addresses, required, names, denied, perSecond);
  }

  private AccessConfig requiring(RequiredClaims claims, ClaimNames called) {
    return new AccessConfig(files, addresses, claims, called, denied, ratePerSecond);
  }

  private static <K extends Enum<K> & ConfigKey> AccessConfig sources(
      ConfigValues<K> values, Keys<K> keys) {
    boolean hasKeys = !values.text(keys.tokens()).isEmpty();
    boolean given = values.given(keys.auth()) != null;
    boolean local = values.address(keys.address()).isLoopbackAddress();
    boolean token = given ? values.oneOf(keys.auth()).equals("token") : hasKeys || !local;
    values.inForce(keys.auth(), token ? "token" : "none");
    if (token && hasKeys) {
      return parse(values, keys);
    }
    refuse(values, keys, token);
    return OPEN;
  }

  /** Reports settings that contradict each other. */
  private static <K extends Enum<K> & ConfigKey> void refuse(
      ConfigValues<K> values, Keys<K> keys, boolean token) {
    String needed = keys.tokens().environmentName();
    String auth = keys.auth().environmentName();
    if (token && values.given(keys.auth()) != null) {
      values.refuse(auth + "=token needs " + needed);
    } else if (token) {
      values.refuse(
          "%s=%s opens the chat to the network: set %s, or %s=none to let clients use any user id"
              .formatted(
                  keys.address().environmentName(), values.text(keys.address()), needed, auth));
    } else if (!values.text(keys.tokens()).isEmpty()) {
      values.refuse(auth + "=none ignores tokens: remove " + needed);
    } else {
      Stream.of(keys.denied(), keys.issuer(), keys.audience(), keys.claims())
          .filter(key -> values.given(key) != null)
          .forEach(key ->
              values.refuse(
                  key.environmentName() + " needs " + needed + ": clients may use any user id"));
    }
  }

  private static <K extends Enum<K> & ConfigKey> AccessConfig parse(
      ConfigValues<K> values, Keys<K> keys) {
    RequiredClaims required =
        new RequiredClaims(values.text(keys.issuer()), values.text(keys.audience()));
    String sources = values.text(keys.tokens());
    ClaimNames names = names(values, keys.claims());
    try {
      return parse(sources, values.text(keys.denied())).requiring(required, names);
    } catch (IllegalArgumentException e) {
      values.wrong(keys.tokens(), sources, RULE + ": " + e.getMessage());
      return OPEN;
    }
  }

  private static <K extends Enum<K> & ConfigKey> ClaimNames names(ConfigValues<K> values, K key) {
    String text = values.text(key);
    try {
      return ClaimNames.of(text);
    } catch (IllegalArgumentException e) {
      values.wrong(key, text, String.valueOf(e.getMessage()));
      return ClaimNames.USUAL;
    }
  }

  /**
   * Parses a list of files and addresses.
   *
   * @param keys not blank
   * @param denied a path, or empty
   * @throws IllegalArgumentException naming the first invalid entry
   */
  public static AccessConfig parse(String keys, String denied) {
    List<String> entries = Stream.of(keys.split(",", -1)).map(String::strip).toList();
    if (entries.size() > MAX_SOURCES || entries.contains("")) {
      throw new IllegalArgumentException(entries.size() + " entries, or an empty one");
    }
    return new AccessConfig(
        entries.stream().filter(entry -> !isAddress(entry)).map(Path::of).toList(),
        entries.stream().filter(AccessConfig::isAddress).map(AccessConfig::address).toList(),
        RequiredClaims.NONE,
        ClaimNames.USUAL,
        denied.isEmpty() ? null : Path.of(denied),
        0);
  }

  private static boolean isAddress(String entry) {
    return entry.contains("://");
  }

  /**
   * Parses an address of keys. It must use TLS: an attacker who can modify the answer could act as
   * any user.
   */
  static URI address(String entry) {
    URI address = URI.create(entry);
    String host = String.valueOf(address.getHost());
    boolean here = host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
    boolean safe = "https".equals(address.getScheme());
    if (!safe && !(here && "http".equals(address.getScheme()))) {
      throw new IllegalArgumentException("'" + entry + "' is not https (http only on loopback)");
    }
    return address;
  }

  /** Returns whether access needs no token. */
  public boolean isOpen() {
    return files.isEmpty() && addresses.isEmpty();
  }
}
