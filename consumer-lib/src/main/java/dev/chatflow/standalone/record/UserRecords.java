package dev.chatflow.standalone.record;

import org.jspecify.annotations.Nullable;

/** The kept records of one username, in one {@link Records}, which guards it. */
final class UserRecords {

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
