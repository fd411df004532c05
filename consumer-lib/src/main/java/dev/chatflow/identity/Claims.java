package dev.chatflow.identity;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a signed token, each in its one valid form. Immutable and thread-safe.
 *
 * <p>Every method throws {@link IllegalArgumentException} if the claim has another form. The
 * message names the claim and the form, and is meant for the client.
 *
 * @param values as in the token's JSON
 */
record Claims(Map<String, Object> values) {

  /** Maximum lifetime of a token: a larger number is in milliseconds, or a mistake. */
  static final Duration LONGEST_LIFE = Duration.ofDays(3_653);

  /** Returns the text of a claim, or null if the token does not have it. */
  @Nullable String text(String name) {
    Object value = values.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw new IllegalArgumentException("the token's " + name + " must be a string");
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns the text of a required claim. */
  String neededText(String name) {
    return needed(name, text(name));
  }

  /** Returns a required list of strings. */
  List<String> neededTexts(String name) {
    if (needed(name, values.get(name)) instanceof List<?> list
        && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).toList();
    }
    throw new IllegalArgumentException("the token's " + name + " must be a list of strings");
  }

  /** Returns a claim that is a string or a list of strings; empty if the token does not have it. */
  List<String> textOrTexts(String name) {
    return values.get(name) instanceof String text
        ? List.of(text)
        : values.containsKey(name) ? neededTexts(name) : List.of();
  }

  /**
   * Returns a time in ms since 1970, or null if the token does not have it.
   *
   * @param nowMillis the wall clock
   */
  @Nullable Long millis(String name, long nowMillis) {
    Object value = values.get(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Number number) || !Double.isFinite(number.doubleValue())) {
      throw new IllegalArgumentException(
          "the token's " + name + " must be a number: seconds since 1970");
    }
    double millis = number.doubleValue() * 1_000;
    if (millis > nowMillis + (double) LONGEST_LIFE.toMillis()) {
      throw new IllegalArgumentException(
          "the token's %s is more than 10 years ahead: it is in seconds since 1970, not milliseconds"
              .formatted(name));
    }
    return (long) Math.max(0, millis);
  }

  /** Returns a required time, in ms since 1970. */
  long neededMillis(String name, long nowMillis) {
    return needed(name, millis(name, nowMillis));
  }

  private static <T> T needed(String name, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "the token has no " + name + ": sub, rooms and exp are needed");
    }
    return value;
  }
}
