package dev.chatflow.identity;

/** The result of checking a token. */
public sealed interface TokenVerdict {

  /** The token is valid now. */
  record Known(Identity identity) implements TokenVerdict {}

  /**
   * The token was not checked, because its address sends too many requests.
   *
   * @param waitMillis ms until the next request is allowed, at least 1
   */
  record TooMany(long waitMillis) implements TokenVerdict {

    /** The text for the client. */
    public static final String TEXT =
        "more requests per second from this address than allowed: try again later";
  }

  /**
   * The token is missing or invalid.
   *
   * @param why the problem for people; reveals nothing about keys
   * @param expired whether it was valid before, so that a new one helps
   */
  record Unknown(String why, boolean expired) implements TokenVerdict {}
}
