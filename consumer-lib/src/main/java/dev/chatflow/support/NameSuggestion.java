package dev.chatflow.support;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Suggests the name that was probably meant. Stateless. */
final class NameSuggestion {

  /** Maximum number of missing, extra or wrong letters. */
  private static final int MAX_MISTAKES = 3;

  /** Number of mistakes up to which the name can hardly belong to another program. */
  private static final int FEW_MISTAKES = 2;

  private NameSuggestion() {}

  /** Returns whether the name differs from a known one by a letter or two. */
  static boolean isNearly(String name, List<String> known) {
    return known.stream()
        .anyMatch(each ->
            Math.abs(each.length() - name.length()) <= FEW_MISTAKES
                && mistakes(name, each) <= FEW_MISTAKES);
  }

  /** Returns the most similar known name, or null if all are very different. */
  static @Nullable String nearest(String name, List<String> known) {
    return known.stream()
        .filter(each -> mistakes(name, each) <= MAX_MISTAKES)
        .min(Comparator.comparingInt(each -> mistakes(name, each)))
        .orElse(null);
  }

  /** Returns the Levenshtein distance: letters to insert, remove or change. */
  private static int mistakes(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
