package dev.chatflow.log;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.room.Shard;

/** The logs of all shards over the current connection. Called by the readers' threads. */
public interface Logs {

  /** Where a reading begins. */
  sealed interface Start {
    /** Near the end: with the last chunk of entries. */
    record Last() implements Start {}

    /**
     * At this offset, or at the first entry after it.
     *
     * @param end the offset of an entry that exists, near the end of the log
     */
    record At(long offset, long end) implements Start {}

    /** With the oldest entry. */
    record Oldest() implements Start {}
  }

  /** A channel that reads one log. */
  interface Reading {

    /** Acknowledges all entries up to a tag. */
    void ackUpTo(long tag) throws BrokerException;

    /** Publishes an undecodable line to the dead letters, before the next acknowledgement. */
    void sendDeadLetter(DeadLetter letter) throws BrokerException;

    /** Ends the reading; nothing more of it is taken. */
    void close();
  }

  /** Returns whether there is a connection. */
  boolean isOpen();

  /** Returns whether entries have offsets. Called only while open. */
  boolean haveOffsets();

  /**
   * Ensures that the log exists, so that the lane's entries reach it.
   *
   * @throws BrokerException if it is missing and this process may not create it
   */
  void ensure(Shard shard) throws BrokerException;

  /**
   * Ensures that the log exists and counts its entries.
   *
   * @return the number of entries it holds, including those of the broker
   */
  long entries(Shard shard) throws BrokerException;

  /**
   * Ensures that the log exists and starts to read it.
   *
   * @param inbox receives the entries, on other threads than the caller's
   * @throws BrokerException if it cannot be read now
   */
  Reading read(Shard shard, Start start, int prefetch, Inbox inbox) throws BrokerException;

  /**
   * Reports that a reading cannot be trusted and the caller starts again. If this repeats, the
   * broker node may be at fault. Does not wait.
   */
  default void doubted(Shard shard, String why) {}
}
