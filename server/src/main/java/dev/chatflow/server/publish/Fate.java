package dev.chatflow.server.publish;

/**
 * Receives the fate of one accepted line. Exactly one method is called, once, by the thread that
 * reads the log; no call parks it.
 */
public interface Fate {

  /** It was read back on time: it is in the log and shown. */
  void back();

  /** It is not in the log, or landed too late to be shown: it may be sent again. */
  void dropped();

  /** It is unknown. */
  void unknown();
}
