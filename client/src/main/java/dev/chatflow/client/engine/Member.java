package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.verify.SenderLog;

/**
 * One user as the books of its room see it: who it is, its state, what it wrote and received. Only
 * the user itself changes its state.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Member {
  final int room;
  final int place;
  final int index;
  final SenderLog log;

  /** Whether this user reads on purpose less than it could. */
  final boolean isSlow;

  /** Whether this user's texts go over HTTP. */
  final boolean posts;

  private final int firstServer;
  private UserState state = UserState.NEW;
  private long stateNanos;
  private int server;
  private long joinMicros;
  private boolean joinAbandoned;
  private int joinsWritten;
  private int resends;
  private long received;
  private long latencyNanosSum;
  private long lastNanos;

  /**
   * A user that did nothing yet.
   *
   * @param place in its room, from 0
   * @param index over all rooms, from 0
   * @param keepsAll whether the times of its messages are asked for after the run
   */
  Member(Plan plan, int room, int place, int index, boolean keepsAll) {
    this.room = room;
    this.place = place;
    this.index = index;
    log = new SenderLog(plan.places(), keepsAll);
    isSlow = plan.disturbance().isSlow(index);
    posts = plan.connecting().http();
    firstServer = plan.target().serverOf(index);
    server = firstServer;
  }

  String userId() {
    return Integer.toString(place + 1);
  }

  String username() {
    return "user" + index;
  }

  UserState state() {
    return state;
  }

  /** When its state changed last. */
  long stateNanos() {
    return stateNanos;
  }

  /** Follows an event, if it means something in the present state. */
  void moved(UserState.Event event, long now) {
    if (state.allows(event)) {
      state = state.after(event);
      stateNanos = now;
    }
  }

  /** Which of the servers it is connected to, or was last. */
  int server() {
    return server;
  }

  void connectsTo(int next) {
    server = next;
  }

  /** A JOIN is about to be written; its head bears this time. */
  void writesJoin(long dueMicros) {
    joinMicros = dueMicros;
    joinsWritten++;
  }

  /** The server refused the last JOIN: it does not count. */
  void joinWasRefused() {
    joinsWritten--;
  }

  int joinsWritten() {
    return joinsWritten;
  }

  /** Whether this is the JOIN whose copy this user waits for. */
  boolean isJoin(long dueMicros) {
    return state.isAwaitingJoin() && dueMicros == joinMicros;
  }

  /** The connection is closed by the user itself, perhaps while a JOIN is unanswered. */
  void closes() {
    joinAbandoned = state.isAwaitingJoin();
  }

  /** Whether it closed its connection while a JOIN was unanswered, which may still be shown. */
  boolean hasAbandonedJoin() {
    return joinAbandoned;
  }

  /** A text was written again. */
  void resent(int seq) {
    log.resend(seq);
    resends++;
  }

  /** Counts a TEXT that came to this user. */
  void took(long latencyNanos, long now) {
    received++;
    latencyNanosSum += latencyNanos;
    lastNanos = now;
  }

  ConnectionFigures connection(long firstDueNanos) {
    long window = received == 0 ? 0 : lastNanos - firstDueNanos;
    return new ConnectionFigures(room, firstServer, received, latencyNanosSum, window);
  }

  SenderFigures sent() {
    return new SenderFigures(
        room,
        userId(),
        username(),
        joinsWritten,
        log.texts(),
        log.leaveCount(),
        resends,
        log.refusedTexts());
  }

  /** Every message of this user. */
  void messages(MessageFigures.Sink sink) {
    boolean joined = log.size() > 0 && !log.isRefused(0);
    for (int seq = joined ? 0 : 1; seq < log.size(); seq++) {
      String type = log.isText(seq) ? "TEXT" : seq == 0 ? "JOIN" : "LEAVE";
      long latency = log.isEchoed(seq) ? log.echoed(seq) - log.written(seq) : -1;
      sink.take(new MessageFigures(room, index, seq, type, log.written(seq), latency));
    }
  }
}
