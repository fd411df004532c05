package dev.chatflow.message;

/**
 * Finds the end of members and values in a JSON object by its quotes and brackets, without checking
 * anything else. Stateless and thread-safe.
 */
final class JsonMembers {

  private JsonMembers() {}

  /**
   * Returns the value of a member of a valid object, as it was written.
   *
   * @param member the number of the member, from 0
   */
  static String value(String object, int member) {
    int at = object.indexOf('{') + 1;
    for (int i = 0; i < member; i++) {
      at = end(object, at, ',') + 1;
    }
    int colon = end(object, at, ':');
    return object.substring(colon + 1, end(object, colon + 1, ',')).strip();
  }

  /**
   * Returns the index of the first {@code stop} from {@code from} that is in no string and no
   * bracket, or of the bracket that closes what surrounds {@code from}; the length if there is
   * neither.
   */
  static int end(CharSequence text, int from, char stop) {
    int depth = 0;
    boolean quoted = false;
    for (int at = from; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        quoted = !quoted;
      } else if (quoted) {
        at += c == '\\' ? 1 : 0;
      } else if (c == '{' || c == '[') {
        depth++;
      } else if (depth == 0 && (c == stop || c == '}' || c == ']')) {
        return at;
      } else if (c == '}' || c == ']') {
        depth--;
      }
    }
    return text.length();
  }
}
