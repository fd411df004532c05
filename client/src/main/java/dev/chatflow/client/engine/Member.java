package dev.chatflow.client.engine;

import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.verify.SenderLog;

/**
 * What one user received and sent, for the report: counts its receipts, reads its log at the end.
 *
 * <p>Belongs to the load thread of its room.
 */
public final class UserFigures {
  private final int room;
  private final int place;
  private final int index;
  private final int server;
  private final Sender sender;

  private long received;
  private long latencyNanosSum;
  private long lastNanos;

  UserFigures(int room, int place, int index, int server, Sender sender) {
    this.room = room;
    this.place = place;
    this.index = index;
    this.server = server;
    this.sender = sender;
  }

  /** Counts a TEXT that came to this user. */
  void took(long latencyNanos, long now) {
    received++;
    latencyNanosSum += latencyNanos;
    lastNanos = now;
  }

  ConnectionFigures connection(long firstDueNanos) {
    long window = received == 0 ? 0 : lastNanos - firstDueNanos;
    return new ConnectionFigures(room, server, received, latencyNanosSum, window);
  }

  SenderFigures sent(int joinsWritten) {
    return new SenderFigures(
        room,
        Integer.toString(place + 1),
        "user" + index,
        joinsWritten,
        sender.textsWritten(),
        sender.log().leaveCount(),
        sender.resends(),
        sender.log().refusedTexts());
  }

  /** Every message of this user. */
  public void messages(MessageFigures.Sink sink) {
    SenderLog log = sender.log();
    boolean joined = log.size() > 0 && !log.isRefused(0);
    for (int seq = joined ? 0 : 1; seq < log.size(); seq++) {
      String type = log.isText(seq) ? "TEXT" : seq == 0 ? "JOIN" : "LEAVE";
      long latency = log.isEchoed(seq) ? log.echoed(seq) - log.written(seq) : -1;
      sink.take(new MessageFigures(room, index, seq, type, log.written(seq), latency));
    }
  }
}
