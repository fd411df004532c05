package dev.chatflow.record;

/** Counts the events of the archive's writer. Called by its thread. */
public interface RecordMeter {

  /**
   * Reports a written batch.
   *
   * @param messages number of messages
   * @param tookNanos duration of the transaction
   * @param lagMillis age of its oldest message at that time
   */
  void committed(long messages, long tookNanos, long lagMillis);

  /** Counts a store that was unavailable or did not answer. */
  void failed();

  /** Counts a message that the database rejects and that went to the dead letters. */
  void poison();

  /** Counts a deletion of old messages. */
  void retained();

  /** Counts a possible loss of messages. */
  void gap();
}
