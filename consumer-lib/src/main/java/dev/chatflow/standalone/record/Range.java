package dev.chatflow.standalone.record;

/**
 * Which records are asked for.
 *
 * @param from the first position, or 0 for the newest ones
 * @param sinceMillis accepted then or later
 * @param untilMillis accepted before then
 * @param limit at most so many
 */
public record Range(long from, long sinceMillis, long untilMillis, int limit) {

  public static final int MAX_LIMIT = 1_000;
  public static final int DEFAULT_LIMIT = 100;

  boolean holds(Entry entry) {
    return entry.position >= from
        && entry.serverMillis >= sinceMillis
        && entry.serverMillis < untilMillis;
  }

  /** Whether the oldest that match are wanted, to read on from there. */
  boolean isForward() {
    return from > 0;
  }
}
