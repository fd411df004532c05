package dev.chatflow.identity;

import java.util.regex.Pattern;

/** Makes external text safe for log lines and error messages. Stateless. */
final class SafeText {

  private static final int MOST = 64;
  private static final Pattern UNPRINTABLE = Pattern.compile("[^\\p{Print}]");

  private SafeText() {}

  /** Returns at most 64 characters, each unprintable one replaced by a question mark. */
  static String text(String text) {
    String bounded = text.length() <= MOST ? text : text.substring(0, MOST) + "...";
    return UNPRINTABLE.matcher(bounded).replaceAll("?");
  }
}
