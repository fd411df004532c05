package dev.chatflow.identity;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The claims of a token that tell who its user is and what the user may do. Identity providers use
 * different names for them. Immutable.
 *
 * @param names the name in tokens of each claim that has another one there
 */
record ClaimNames(Map<String, String> names) {

  static final String USER = "sub";
  static final String NAME = "name";
  static final String ROOMS = "rooms";
  static final String READ = "read";
  static final String MODERATE = "moderate";

  static final ClaimNames USUAL = new ClaimNames(Map.of());

  private static final List<String> ALL = List.of(USER, NAME, ROOMS, READ, MODERATE);

  /** The form of the setting, for people. */
  static final String RULE =
      "comma-separated names such as sub=oid,rooms=chat_rooms, for any of "
          + String.join(", ", ALL);

  ClaimNames {
    names = Map.copyOf(names);
  }

  /**
   * Parses the setting.
   *
   * @throws IllegalArgumentException with the rule
   */
  static ClaimNames of(String text) {
    Map<String, String> names = new TreeMap<>();
    Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .forEach(part -> {
          String[] pair = part.split("=", -1);
          if (pair.length != 2 || !ALL.contains(pair[0]) || pair[1].isBlank()) {
            throw new IllegalArgumentException("must be " + RULE);
          }
          names.put(pair[0], pair[1].strip());
        });
    return new ClaimNames(names);
  }

  /** Returns the name that a claim has in tokens. */
  String inToken(String claim) {
    return names.getOrDefault(claim, claim);
  }
}
