package dev.chatflow.standalone.record;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of one room. Guarded by its {@link Records}. */
final class RoomRecords {

  /** A name that sent under a user id. */
  record SenderKey(String userId, String username) {}

  final String roomId;
  final Map<SenderKey, SenderCounts> senders = new HashMap<>();
  long recorded;
  long dropped;
  long bytes;
  @Nullable Entry oldest;
  private @Nullable Entry newest;

  RoomRecords(String roomId) {
    this.roomId = roomId;
  }

  void add(Entry entry) {
    if (newest == null) {
      oldest = entry;
    } else {
      newest.newerOfRoom = entry;
    }
    newest = entry;
    bytes += entry.bytes();
  }

  void dropOldest() {
    Entry entry = oldest;
    if (entry != null) {
      oldest = entry.newerOfRoom;
      newest = oldest == null ? null : newest;
      bytes -= entry.bytes();
      dropped++;
    }
  }
}
