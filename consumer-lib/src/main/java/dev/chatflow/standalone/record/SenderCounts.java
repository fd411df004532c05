package dev.chatflow.standalone.record;

import dev.chatflow.message.line.Line;

/** How much one sender said in one room. Guarded by its {@link Records}. */
final class SenderCounts {

  private long joins;
  private long texts;
  private long leaves;
  private long syntheticLeaves;
  private long lastMillis;

  void count(Line.Message message, long nowMillis) {
    switch (message.type()) {
      case JOIN -> joins++;
      case TEXT -> texts++;
      case LEAVE -> {
        leaves += message.synthetic() ? 0 : 1;
        syntheticLeaves += message.synthetic() ? 1 : 0;
      }
    }
    lastMillis = nowMillis;
  }

  long messages() {
    return joins + texts + leaves + syntheticLeaves;
  }

  SenderView view(String roomId, RoomRecords.SenderKey key) {
    return new SenderView(
        roomId, key.userId(), key.username(), joins, texts, leaves, syntheticLeaves, lastMillis);
  }
}
