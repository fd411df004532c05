package dev.chatflow.identity;

/** What became of a token. */
public sealed interface Verdict {

  /** It is good, now. */
  record Known(Identity identity) implements Verdict {}

  /**
   * It is missing or not good.
   *
   * @param why for people: what was wrong; says nothing of keys
   * @param expired whether it was good once: a new one helps
   */
  record Unknown(String why, boolean expired) implements Verdict {}
}
