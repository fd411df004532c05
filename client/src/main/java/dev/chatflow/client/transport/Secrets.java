package dev.chatflow.client.transport;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Masks passwords in addresses of any form, valid or not. Stateless. */
public final class Secrets {

  private static final Pattern PARAMETER =
      Pattern.compile(
          "([?&;][\\w.-]*(?:password|passphrase|passwd|pwd|secret|token)[\\w.-]*=)[^&;#\\s]*",
          Pattern.CASE_INSENSITIVE);

  /** A scheme as in {@code amqp://} or {@code jdbc:postgresql://}, a user, and a password. */
  private static final Pattern USER =
      Pattern.compile("((?:[\\w+.-]+:)*//)?([^:/@]*)(.*)", Pattern.DOTALL);

  private Secrets() {}

  /**
   * Returns an address in which {@code ***} replaces everything that may be a password. A password
   * may contain any character, so it is assumed to end at the last {@code @}.
   */
  public static String masked(String address) {
    boolean isJdbc = address.toLowerCase(Locale.ROOT).startsWith("jdbc:");
    int query = isJdbc ? address.indexOf('?') : -1; // a user in the query may have an @
    String authority = query < 0 ? address : address.substring(0, query);
    String rest = query < 0 ? "" : address.substring(query);
    return PARAMETER.matcher(maskedUser(authority) + rest).replaceAll("$1***");
  }

  private static String maskedUser(String text) {
    int end = text.lastIndexOf('@');
    if (end < 0) {
      return text;
    }
    Matcher parts = USER.matcher(text.substring(0, end));
    String scheme = parts.matches() && parts.group(1) != null ? parts.group(1) : "";
    String password = parts.matches() ? parts.group(3) : "";
    boolean isUser = scheme.isEmpty() ? !password.contains(":") : password.isEmpty();
    if (isUser || password.equals(":")) {
      return text; // a user without a password, or a path
    }
    return scheme + parts.group(2) + ":***" + text.substring(end);
  }
}
