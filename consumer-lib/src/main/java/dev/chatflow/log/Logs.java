package dev.chatflow.log;

import dev.chatflow.broker.BrokerException;
import dev.chatflow.message.DeadLetter;
import dev.chatflow.room.Shard;

/** The logs of all shards, as the present connection reaches them. The readers' thread calls. */
public interface Logs {

  /** Where a reading begins. */
  sealed interface Start {
    /** Near the end: with the last chunk of entries. */
    record Last() implements Start {}

    /** With the entry that stands there, or the first behind it. */
    record At(long offset) implements Start {}

    /** With the oldest entry. */
    record Oldest() implements Start {}
  }

  /** One channel that reads one log. */
  interface Reading {

    /** Acknowledges everything up to a tag. */
    void ackUpTo(long tag) throws BrokerException;

    /** Publishes a line that nobody can decode to the dead letters, before what is acked next. */
    void sendDeadLetter(DeadLetter letter) throws BrokerException;

    /** Ends it; nothing of it may be taken any more. */
    void close();
  }

  /** Whether there is a connection. */
  boolean isOpen();

  /** Whether entries have offsets; only asked while open. */
  boolean haveOffsets();

  /**
   * Makes sure that the log is there, so that the lane's entries find it.
   *
   * @throws BrokerException when it is not there and was not for this process to make
   */
  void ensure(Shard shard) throws BrokerException;

  /**
   * Makes sure that the log is there, and counts its entries.
   *
   * @return how many it holds now, those of the broker's own included
   */
  long entries(Shard shard) throws BrokerException;

  /**
   * Makes sure that the log is there and starts to read it.
   *
   * @param inbox takes what comes, by the broker's threads
   * @throws BrokerException when it cannot be read now
   */
  Reading read(Shard shard, Start start, int prefetch, Inbox inbox) throws BrokerException;

  /**
   * What is read of a log cannot be trusted: the caller begins anew; when that does not help, it
   * may be the node's fault. Does not wait.
   */
  default void doubted(Shard shard, String why) {}
}
