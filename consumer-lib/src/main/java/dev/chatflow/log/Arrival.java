package dev.chatflow.log;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a shard's log as a reading handed it over.
 *
 * @param tag its number on its channel, for the acknowledgement
 * @param offset where it stands in the log, or {@link #NO_OFFSET} when the log has none
 * @param entry its lane's headers, or null when no lane of the shard published it
 * @param builtMillis the cluster time at which its lane built it; 0 when no lane did
 * @param signals what its headers say of people
 * @param content what its body is
 * @param body belongs to whoever takes the arrival; may be written to
 * @param arrivedNanos when it was handed over
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
public record Arrival(
    long tag,
    long offset,
    @Nullable Entry entry,
    long builtMillis,
    Signals signals,
    Content content,
    byte[] body,
    long arrivedNanos) {

  /** The offset of a log that knows none: the embedded broker's ring. */
  public static final long NO_OFFSET = -1;

  /** One that says nothing of people in its headers. */
  public Arrival(
      long tag,
      long offset,
      @Nullable Entry entry,
      long builtMillis,
      Content content,
      byte[] body,
      long arrivedNanos) {
    this(tag, offset, entry, builtMillis, Signals.NONE, content, body, arrivedNanos);
  }

  /** What the body of an entry is. */
  public enum Content {
    /** Nothing: a beacon. */
    NOTHING,
    /** One message. */
    LINE,
    /** Messages, one a line. */
    LINES,
    /** A page of a lane's members. */
    PRESENCE,
    /** Something that a newer server wrote: passed over. */
    UNKNOWN
  }
}
