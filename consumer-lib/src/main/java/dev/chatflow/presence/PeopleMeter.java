package dev.chatflow.presence;

/** What is counted of people. Readers' threads call; no call parks its caller. */
public interface PeopleMeter {

  /** The others were asked for their members. */
  void peopleAsked();

  /** A lane has other members than is known here: it is asked again. */
  void peopleDiffer();

  /** A lane with members fell silent: they are taken to have left. */
  void laneDied();

  /** A lane's answer cannot be read: it is asked again later. */
  void pageUnreadable();

  /** By itself it counts nothing. */
  PeopleMeter NONE =
      new PeopleMeter() {
        @Override
        public void peopleAsked() {}

        @Override
        public void peopleDiffer() {}

        @Override
        public void laneDied() {}

        @Override
        public void pageUnreadable() {}
      };
}
