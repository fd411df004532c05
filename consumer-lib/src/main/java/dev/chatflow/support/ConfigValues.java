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
 * Converts the texts given for a program's keys to values, and collects all errors instead of
 * stopping at the first.
 *
 * <p>One thread. An invalid value is returned as the lowest allowed one, so call {@link
 * #throwIfWrong} before using any value.
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
   * Reads the given values.
   *
   * <p>A name is an error if it is not a key but must be one, or is nearly one; in the file also if
   * no ChatFlow program has a key of that name.
   *
   * @param isOwnKey returns whether a name, in the form of the environment, must be one of the keys
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
      if (isOwnKey.test(inEnvironmentForm.apply(name)) || NameSuggestion.isNearly(name, known)) {
        String nearest = NameSuggestion.nearest(name, known);
        String hint = nearest == null ? "every key: --print-effective" : "meant " + nearest + "?";
        problems.add("unknown key " + name + " (" + hint + ")");
      }
    }
  }

  /** Returns the text given for a key, or null. */
  public @Nullable String given(K key) {
    return given.get(key);
  }

  public String text(K key) {
    return given.getOrDefault(key, key.defaultText());
  }

  public int whole(K key) {
    return whole(key, key.defaultText());
  }

  /** Returns an integer whose default is computed at start. */
  public int whole(K key, String fallback) {
    AllowedValues.Whole allowed = allowed(key, AllowedValues.Whole.class);
    String text = given.getOrDefault(key, fallback);
    inForce.put(key, Secrets.masked(text));
    return orWrong(key, text, allowed.parse(text), allowed.least());
  }

  /** Returns an integer, or {@code none} if the word for it was given. */
  public int wholeOr(K key, int none) {
    AllowedValues.WholeOr allowed = allowed(key, AllowedValues.WholeOr.class);
    String text = text(key);
    Integer value =
        text.equals(allowed.word()) ? Integer.valueOf(none) : allowed.whole().parse(text);
    return orWrong(key, text, value, none);
  }

  /** Returns a size in bytes. */
  public long bytes(K key) {
    AllowedValues.Size allowed = allowed(key, AllowedValues.Size.class);
    return orWrong(key, text(key), allowed.parse(text(key)), allowed.least());
  }

  public Duration time(K key) {
    AllowedValues.Time allowed = allowed(key, AllowedValues.Time.class);
    return orWrong(key, text(key), allowed.parse(text(key)), allowed.least());
  }

  public boolean flag(K key) {
    return oneOf(key).equals(AllowedValues.OneOf.FLAG.values().getFirst());
  }

  public String oneOf(K key) {
    List<String> values = allowed(key, AllowedValues.OneOf.class).values();
    String text = text(key);
    return orWrong(key, text, values.contains(text) ? text : null, values.getFirst());
  }

  /** Returns an address; for a name, waits for DNS. */
  public InetAddress address(K key) {
    try {
      return InetAddress.getByName(text(key));
    } catch (UnknownHostException _) {
      wrong(key, text(key), key.allowed().words());
      return InetAddress.getLoopbackAddress();
    }
  }

  private static <A extends AllowedValues> A allowed(ConfigKey key, Class<A> type) {
    return type.cast(key.allowed());
  }

  private <T> T orWrong(K key, String text, @Nullable T value, T least) {
    if (value == null) {
      wrong(key, text, key.allowed().words());
      return least;
    }
    return value;
  }

  /** Sets the effective text of a key if it differs from the given one: computed, or a secret. */
  public void inForce(K key, String text) {
    inForce.put(key, text);
  }

  /**
   * Adds an invalid value to the errors.
   *
   * @param value the given value; a password in an address is masked
   * @param allowed the end of "KEY=value is not ..."
   */
  public void wrong(K key, String value, String allowed) {
    String shown = Secrets.masked(value);
    problems.add(key.environmentName() + "=" + shown + " is not " + Secrets.masked(allowed, value));
  }

  /** Adds values that cannot be combined; {@code problem} names them and the solution. */
  public void refuse(String problem) {
    problems.add(problem);
  }

  /** Throws if there were errors. */
  public void throwIfWrong() throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** Returns every key with its effective value, in the order of the keys. */
  public EffectiveValues<K> effective() {
    Map<K, String> changed = new EnumMap<>(inForce);
    changed.keySet().retainAll(given.keySet());
    changed.entrySet().removeIf(entry -> entry.getValue().equals(entry.getKey().defaultText()));
    return new EffectiveValues<>(new EnumMap<>(inForce), changed);
  }
}
