package dev.chatflow.support;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The effective configuration for display, with secrets masked.
 *
 * @param values every key, in the order of the keys
 * @param changed the keys that were given and differ from their defaults
 * @param <K> the program's keys
 */
public record EffectiveValues<K extends Enum<K> & ConfigKey>(
    Map<K, String> values, Map<K, String> changed) {

  /** Returns every value by its environment name, in the order of the keys. */
  public Map<String, String> byName() {
    Map<String, String> named = new LinkedHashMap<>();
    values.forEach((key, value) -> named.put(key.environmentName(), value));
    return named;
  }

  /** Returns {@code KEY=value} lines of every key. */
  public String describe() {
    return values.entrySet().stream()
        .map(entry -> entry.getKey().environmentName() + "=" + entry.getValue() + "\n")
        .collect(Collectors.joining());
  }

  /** Returns the differences from the defaults in one line. */
  public String describeChanged() {
    return changed.isEmpty()
        ? "all keys have their defaults"
        : changed.entrySet().stream()
            .map(entry -> entry.getKey().environmentName() + "=" + entry.getValue())
            .collect(Collectors.joining(" ", "", ", all others have their defaults"));
  }
}
