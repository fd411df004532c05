package dev.chatflow.standalone.record;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of one username, in one {@link Records}, which guards it. */
final class UserRecords {

  /** Its counts in a room; one for each of its user ids there. */
  record InRoom(String roomId, SenderCounts counts) {}

  final List<InRoom> rooms = new ArrayList<>(1);

  @Nullable Entry oldest;
  private @Nullable Entry newest;

  void add(Entry entry) {
    entry.olderOfUser = newest;
    if (newest == null) {
      oldest = entry;
    } else {
      newest.newerOfUser = entry;
    }
    newest = entry;
  }

  void remove(Entry entry) {
    Entry older = entry.olderOfUser;
    Entry newer = entry.newerOfUser;
    if (older == null) {
      oldest = newer;
    } else {
      older.newerOfUser = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.olderOfUser = older;
    }
  }
}
