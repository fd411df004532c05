package dev.chatflow.log;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a shard's log as a reading delivered it.
 *
 * @param tag its delivery tag, which acknowledges it
 * @param offset its offset in the log, or {@link #NO_OFFSET} if the log has none
 * @param entry its lane's headers, or null if no lane of the shard published it
 * @param builtMillis the cluster time at which its lane built it; 0 if no lane did
 * @param presenceHeaders the presence headers
 * @param content the kind of its body
 * @param body owned by the receiver, which may modify it
 * @param arrivedNanos when it was delivered
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
public record Arrival(
    long tag,
    long offset,
    @Nullable Entry entry,
    long builtMillis,
    PresenceHeaders presenceHeaders,
    Content content,
    byte[] body,
    long arrivedNanos) {

  /** The offset in a log without offsets: the embedded broker's ring. */
  public static final long NO_OFFSET = -1;

  /** Creates an arrival without presence headers. */
  public Arrival(
      long tag,
      long offset,
      @Nullable Entry entry,
      long builtMillis,
      Content content,
      byte[] body,
      long arrivedNanos) {
    this(tag, offset, entry, builtMillis, PresenceHeaders.NONE, content, body, arrivedNanos);
  }

  /** Returns whether a program other than a server published it: it has no time. */
  boolean isForeign() {
    return entry == null && content != Content.BLOCK;
  }

  /**
   * Distinguishes an entry from others at its offset; without a lane, its length has to suffice.
   */
  public record Identity(long offset, @Nullable Entry entry, long builtMillis, int bodyBytes) {}

  /** Returns what it is recognised by when it is read again. */
  public Identity identity() {
    return new Identity(offset, entry, builtMillis, body.length);
  }

  /** Returns this entry with another tag. */
  public Arrival withTag(long other) {
    return new Arrival(
        other, offset, entry, builtMillis, presenceHeaders, content, body, arrivedNanos);
  }

  /** The kind of an entry's body. */
  public enum Content {
    /** Empty: a beacon. */
    NOTHING,
    /** One message. */
    LINE,
    /** Several messages, one per line. */
    LINES,
    /** A page of a lane's members. */
    PRESENCE,
    /** Copies of earlier entries, for readers that start. */
    BLOCK,
    /** Written by a newer version; skipped. */
    UNKNOWN
  }
}
