package dev.chatflow.support;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The texts given for a program's keys, turned into values; collects what is wrong instead of
 * stopping at the first.
 *
 * <p>One thread. A wrong value is handed out as the least that is allowed: call {@link
 * #throwIfWrong} before any value is used.
 *
 * @param <K> the program's keys
 */
public final class ConfigValues<K extends Enum<K> & ConfigKey> {

  private static final String PREFIX = "CHATFLOW_";

  private final List<K> keys;
  private final Map<K, String> given;
  private final Map<K, String> inForce;
  private final Set<String> problems = new LinkedHashSet<>();

  /**
   * Takes what was given.
   *
   * <p>A name is wrong that is none of the keys and would have to be one, or is nearly one; in the
   * file also one that is no name of any of our programs.
   *
   * @param isOwnKey whether a name, in the form of the environment, would have to be one of the
   *     keys
   */
  public ConfigValues(Class<K> keys, ConfigSource source, Predicate<String> isOwnKey) {
    this.keys = List.of(keys.getEnumConstants());
    this.given = new EnumMap<>(keys);
    this.inForce = new EnumMap<>(keys);
    for (K key : this.keys) {
      String value = source.given(key.environmentName());
      if (value != null) {
        given.put(key, value.strip());
      }
      inForce.put(key, text(key));
    }
    refuseUnknown(source.environment(), isOwnKey, ConfigKey::environmentName, name -> name);
    refuseUnknown(
        source.properties(), isOwnKey, ConfigKey::propertyName, ConfigValues::inEnvironmentForm);
    refuseUnknown(
        source.file(),
        isOwnKey.or(name -> !name.startsWith(PREFIX)),
        ConfigKey::environmentName,
        name -> name);
  }

  private static String inEnvironmentForm(String property) {
    boolean ours = property.startsWith("chatflow.");
    return ours ? ConfigSource.environmentName(property) : "";
  }

  private void refuseUnknown(
      Map<String, String> names,
      Predicate<String> isOwnKey,
      Function<ConfigKey, String> form,
      Function<String, String> inEnvironmentForm) {
    List<String> known = keys.stream().map(form).toList();
    for (String name : new TreeSet<>(names.keySet())) {
      if (known.contains(name)) {
        continue;
      }
      if (isOwnKey.test(inEnvironmentForm.apply(name)) || Spelling.isNearly(name, known)) {
        String nearest = Spelling.nearest(name, known);
        String hint = nearest == null ? "every key: --print-effective" : "meant " + nearest + "?";
        problems.add("unknown key " + name + " (" + hint + ")");
      }
    }
  }

  /** The text given for a key, or null when none was. */
  public @Nullable String given(K key) {
    return given.get(key);
  }

  public String text(K key) {
    return given.getOrDefault(key, key.defaultText());
  }

  public int whole(K key) {
    return whole(key, key.defaultText());
  }

  /** A whole number whose default is worked out at start. */
  public int whole(K key, String fallback) {
    Allowed.Whole allowed = allowed(key, Allowed.Whole.class);
    String text = given.getOrDefault(key, fallback);
    inForce.put(key, Secrets.masked(text));
    return orWrong(key, text, allowed.parse(text), allowed.least());
  }

  /** A whole number, or {@code none} when the word for it was given. */
  public int wholeOr(K key, int none) {
    Allowed.WholeOr allowed = allowed(key, Allowed.WholeOr.class);
    String text = text(key);
    Integer value =
        text.equals(allowed.word()) ? Integer.valueOf(none) : allowed.whole().parse(text);
    return orWrong(key, text, value, none);
  }

  /** A size in bytes. */
  public long bytes(K key) {
    Allowed.Size allowed = allowed(key, Allowed.Size.class);
    return orWrong(key, text(key), allowed.parse(text(key)), allowed.least());
  }

  public Duration time(K key) {
    Allowed.Time allowed = allowed(key, Allowed.Time.class);
    return orWrong(key, text(key), allowed.parse(text(key)), allowed.least());
  }

  public boolean flag(K key) {
    return oneOf(key).equals(Allowed.OneOf.FLAG.values().getFirst());
  }

  public String oneOf(K key) {
    List<String> values = allowed(key, Allowed.OneOf.class).values();
    String text = text(key);
    return orWrong(key, text, values.contains(text) ? text : null, values.getFirst());
  }

  /** An address, of which a name may have been given; waits for the name service then. */
  public InetAddress address(K key) {
    try {
      return InetAddress.getByName(text(key));
    } catch (UnknownHostException _) {
      wrong(key, text(key), key.allowed().words());
      return InetAddress.getLoopbackAddress();
    }
  }

  private static <A extends Allowed> A allowed(ConfigKey key, Class<A> type) {
    return type.cast(key.allowed());
  }

  private <T> T orWrong(K key, String text, @Nullable T value, T least) {
    if (value == null) {
      wrong(key, text, key.allowed().words());
      return least;
    }
    return value;
  }

  /** What is in force for a key is another text than the one given: worked out, or a secret. */
  public void inForce(K key, String text) {
    inForce.put(key, text);
  }

  /**
   * Notes what cannot be used.
   *
   * @param value what was given; a password in an address is not shown
   * @param allowed the end of "KEY=value is not ..."
   */
  public void wrong(K key, String value, String allowed) {
    String shown = Secrets.masked(value);
    problems.add(key.environmentName() + "=" + shown + " is not " + Secrets.masked(allowed, value));
  }

  /** Notes values that cannot be used together; {@code problem} names them and what to do. */
  public void refuse(String problem) {
    problems.add(problem);
  }

  /** Ends the reading of a configuration that cannot be used. */
  public void throwIfWrong() throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** Every key with the value in force, in the order of the keys. */
  public Effective<K> effective() {
    Map<K, String> changed = new EnumMap<>(inForce);
    changed.keySet().retainAll(given.keySet());
    changed.entrySet().removeIf(entry -> entry.getValue().equals(entry.getKey().defaultText()));
    return new Effective<>(new EnumMap<>(inForce), changed);
  }
}
