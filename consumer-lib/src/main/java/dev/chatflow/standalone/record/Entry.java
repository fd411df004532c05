package dev.chatflow.standalone.record;

import org.jspecify.annotations.Nullable;

/**
 * One kept record with its places in three lists: all of its {@link Records}, its room's, its
 * user's. Guarded by its {@link Records}.
 */
final class Entry {

  /** What a record costs beside its bytes: this object, the head of its array. */
  private static final int OVERHEAD_BYTES = 112;

  final byte[] json;
  final long position;
  final long serverMillis;
  final long arrivalNanos;
  final RoomRecords room;
  final UserRecords user;
  @Nullable Entry older;
  @Nullable Entry newer;
  @Nullable Entry newerOfRoom;
  @Nullable Entry olderOfUser;
  @Nullable Entry newerOfUser;

  /**
   * Makes a record that is in no list.
   *
   * @param position its place in the room's history, from 1
   */
  Entry(
      byte[] json,
      long position,
      long serverMillis,
      long arrivalNanos,
      RoomRecords room,
      UserRecords user) {
    this.json = json;
    this.position = position;
    this.serverMillis = serverMillis;
    this.arrivalNanos = arrivalNanos;
    this.room = room;
    this.user = user;
  }

  long bytes() {
    return (long) OVERHEAD_BYTES + json.length;
  }
}
