package dev.chatflow.record;

/** What the writer of the record counts. Its thread calls. */
public interface RecordMeter {

  /**
   * A batch was written.
   *
   * @param messages in it
   * @param tookNanos of the transaction
   * @param lagMillis how old its oldest message was then
   */
  void committed(long messages, long tookNanos, long lagMillis);

  /** The store was away, or did not answer. */
  void failed();

  /** A message that the database refuses went to the dead letters. */
  void poison();

  /** Old messages were deleted. */
  void retained();

  /** Messages may be missing. */
  void gap();
}
