package dev.chatflow.identity;

/** What became of a token. */
public sealed interface TokenVerdict {

  /** It is good, now. */
  record Known(Identity identity) implements TokenVerdict {}

  /**
   * It was not looked at: its address sends more requests than allowed.
   *
   * @param waitMillis until the next one is allowed, at least 1
   */
  record TooMany(long waitMillis) implements TokenVerdict {

    /** For the client. */
    public static final String TEXT =
        "more requests per second from this address than allowed: try again later";
  }

  /**
   * It is missing or not good.
   *
   * @param why for people: what was wrong; says nothing of keys
   * @param expired whether it was good once: a new one helps
   */
  record Unknown(String why, boolean expired) implements TokenVerdict {}
}
