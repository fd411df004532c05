package dev.chatflow.record;

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
}
