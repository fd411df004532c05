package dev.chatflow.presence;

/** Counts presence events. Called by readers' threads; no call parks its caller. */
public interface PresenceMeter {

  /** Counts a request for snapshots from the other servers. */
  void snapshotRequested();

  /** Counts a lane whose members differ from those known here; it is asked again. */
  void presenceDiffers();

  /** Counts a lane with members that fell silent: its members count as left. */
  void laneDied();

  /** Counts an unreadable page; its lane is asked again later. */
  void pageUnreadable();

  /** Counts nothing. */
  PresenceMeter NONE =
      new PresenceMeter() {
        @Override
        public void snapshotRequested() {}

        @Override
        public void presenceDiffers() {}

        @Override
        public void laneDied() {}

        @Override
        public void pageUnreadable() {}
      };
}
