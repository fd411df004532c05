package dev.chatflow.log;

/**
 * The lane by which this process writes a shard, as the reader of the shard's log sees it.
 *
 * <p>The reader's thread calls; no call parks it.
 */
public interface OwnLane extends PresenceOutlet {

  /**
   * Publishes a beacon as soon as nothing is in the air.
   *
   * @return a number: once it or a higher one is confirmed, the log reaches behind this call
   */
  long beacon();

  /** The highest number that the broker has confirmed. */
  long confirmed();

  /** Takes lines from now on: the reader is attached. */
  void attached();

  /** Takes no more lines: the reader does not know what is going on. */
  void detached();

  /**
   * An own entry was read back, whatever it was worth.
   *
   * @param number not read before
   * @param arrivedNanos when the broker handed it over
   */
  void read(long number, long arrivedNanos);

  /** An own entry with lines came too late: nothing is taken until all that was sent is back. */
  void late(long number);

  /** The shard's continuity is lost: what waits goes, what is out counts for nothing. */
  void lost();

  /**
   * So many lanes were heard lately, this one included: flights keep their distance accordingly.
   */
  void activeLanes(int lanes);

  /** For how long the oldest own entry that is confirmed has not been read, in ns; 0 for none. */
  long unreadNanos(long nowNanos);

  /** Whether the broker gave an entry back because no log wants it; true once each time. */
  boolean takeUnwanted();

  /** Whether nothing waits, is in the air or has not come back. */
  boolean isIdle();
}
