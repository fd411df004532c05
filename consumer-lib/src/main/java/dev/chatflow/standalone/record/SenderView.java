package dev.chatflow.standalone.record;

/**
 * How much one sender said in one room, as it was when asked.
 *
 * @param leaves those the sender said
 * @param syntheticLeaves those servers made for connections that ended
 * @param lastMillis when the last of it was recorded, in ms since the epoch
 */
record SenderView(
    String roomId,
    String userId,
    String username,
    long joins,
    long texts,
    long leaves,
    long syntheticLeaves,
    long lastMillis) {

  long messages() {
    return joins + texts + leaves + syntheticLeaves;
  }
}
