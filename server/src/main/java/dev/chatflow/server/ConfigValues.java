package dev.chatflow.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The texts given for the keys, turned into values; collects what is wrong instead of stopping at
 * the first.
 */
final class ConfigValues {

  /** Keys of other programs that share the prefix. */
  private static final List<String> FOREIGN =
      List.of("CHATFLOW_CLIENT_", "CHATFLOW_CONSUMER_", "CHATFLOW_TF_", "CHATFLOW_TEST_");

  private static final Pattern QUANTITY = Pattern.compile("([0-9]{1,12}) ?([A-Za-z]*)");
  private static final Map<String, Long> SIZE_UNITS =
      Map.of("", 1L, "b", 1L, "kib", 1L << 10, "mib", 1L << 20, "gib", 1L << 30);
  private static final Map<String, Duration> TIME_UNITS =
      Map.of(
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1));

  private final Map<ConfigKey, String> given = new EnumMap<>(ConfigKey.class);
  private final List<String> problems = new ArrayList<>();

  ConfigValues(Map<String, String> environment, Map<String, String> properties) {
    for (ConfigKey key : ConfigKey.values()) {
      String value =
          properties.getOrDefault(key.propertyName(), environment.get(key.environmentName()));
      if (value != null) {
        given.put(key, value.strip());
      }
    }
    refuseUnknown(environment.keySet(), "CHATFLOW_", ConfigKey::environmentName);
    refuseUnknown(properties.keySet(), "chatflow.", ConfigKey::propertyName);
  }

  private void refuseUnknown(
      Set<String> names, String prefix, java.util.function.Function<ConfigKey, String> form) {
    Set<String> known = new TreeSet<>();
    for (ConfigKey key : ConfigKey.values()) {
      known.add(form.apply(key));
    }
    for (String name : new TreeSet<>(names)) {
      if (name.startsWith(prefix) && !known.contains(name) && !isForeign(name)) {
        problems.add("unknown key " + name + " (known: " + String.join(", ", known) + ")");
      }
    }
  }

  private static boolean isForeign(String name) {
    String asEnvironment = name.toUpperCase(Locale.ROOT).replace('.', '_');
    return FOREIGN.stream().anyMatch(asEnvironment::startsWith);
  }

  /** The text given for a key, or null when none was. */
  @Nullable String given(ConfigKey key) {
    return given.get(key);
  }

  String text(ConfigKey key) {
    return given.getOrDefault(key, key.defaultText());
  }

  int whole(ConfigKey key, int least, int most) {
    return whole(key, key.defaultText(), least, most);
  }

  /** A whole number whose default is worked out at start. */
  int whole(ConfigKey key, String fallback, int least, int most) {
    String text = given.getOrDefault(key, fallback);
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException _) {
      // Reported below.
    }
    wrong(key, text, "a whole number from " + least + " to " + most);
    return least;
  }

  /** A size in bytes. */
  long bytes(ConfigKey key, long least, long most) {
    String text = text(key);
    Matcher match = QUANTITY.matcher(text);
    Long unit = match.matches() ? SIZE_UNITS.get(match.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit != null) {
      long value = Long.parseLong(match.group(1)) * unit;
      if (value >= least && value <= most) {
        return value;
      }
    }
    wrong(key, text, "a size from " + least + " to " + most + " bytes, such as 256KiB or 4MiB");
    return least;
  }

  Duration time(ConfigKey key, Duration least, Duration most) {
    String text = text(key);
    Matcher match = QUANTITY.matcher(text);
    Duration unit =
        match.matches() ? TIME_UNITS.get(match.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit != null) {
      Duration value = unit.multipliedBy(Long.parseLong(match.group(1)));
      if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
        return value;
      }
    }
    wrong(
        key,
        text,
        "a time from " + shown(least) + " to " + shown(most) + ", such as 5ms, 30s or 2m");
    return least;
  }

  boolean flag(ConfigKey key) {
    String text = text(key);
    if (!text.equals("true") && !text.equals("false")) {
      wrong(key, text, "true or false");
    }
    return text.equals("true");
  }

  String oneOf(ConfigKey key, List<String> allowed) {
    String text = text(key);
    if (!allowed.contains(text)) {
      wrong(key, text, String.join(" or ", allowed));
    }
    return text;
  }

  void wrong(ConfigKey key, String value, String allowed) {
    problems.add(key.environmentName() + "=" + value + " is not " + allowed);
  }

  void throwIfWrong() throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  static String shown(Duration time) {
    long millis = time.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
