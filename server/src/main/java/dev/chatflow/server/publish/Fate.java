package dev.chatflow.server.publish;

/**
 * Who wants to know what became of one line that was taken. Exactly one of these is called, once,
 * by the thread that reads the log; no call parks it.
 */
public interface Fate {

  /** It was read back on time: it is in the log and shown. */
  void back();

  /** It is not in the log, or came too late to be shown: it may be sent again. */
  void dropped();

  /** Nobody knows. */
  void unknown();
}
