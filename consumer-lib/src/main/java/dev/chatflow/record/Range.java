package dev.chatflow.record;

/**
 * The requested range of messages.
 *
 * @param from the first position, or 0 for the newest messages
 * @param sinceMillis accepted at this time or later
 * @param untilMillis accepted before this time
 * @param limit maximum number of messages
 */
public record Range(long from, long sinceMillis, long untilMillis, int limit) {

  public static final int MAX_LIMIT = 1_000;
  public static final int DEFAULT_LIMIT = 100;
}
