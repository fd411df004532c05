package dev.chatflow.presence;

/** What is counted of people. Readers' threads call; no call parks its caller. */
public interface PresenceMeter {

  /** The others were asked for their members. */
  void snapshotRequested();

  /** A lane has other members than is known here: it is asked again. */
  void presenceDiffers();

  /** A lane with members fell silent: they are taken to have left. */
  void laneDied();

  /** A lane's answer cannot be read: it is asked again later. */
  void pageUnreadable();

  /** By itself it counts nothing. */
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
