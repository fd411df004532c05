package dev.chatflow.client.engine;

import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.record.ConnectionFigures;
import dev.chatflow.client.record.MessageFigures;
import dev.chatflow.client.record.SenderFigures;
import dev.chatflow.client.verify.SenderLog;

/**
 * One user in the bookkeeping of its room: its identity, its state, and what it wrote and received.
 * Only the user itself changes its state.
 *
 * <p>Belongs to the load thread of its room.
 */
final class Member {
  final int room;
  final int roomIndex;
  final int index;
  final SenderLog log;

  /** Whether this user deliberately reads slowly. */
  final boolean isSlow;

  /** Whether this user posts its texts over HTTP. */
  final boolean posts;

  private final int devices;
  private final int firstServer;
  private UserState state = UserState.NEW;
  private long stateNanos;
  private int server;
  private long joinMicros;
  private boolean joinAbandoned;
  private int joinsWritten;
  private int signals;
  private int resends;
  private long received;
  private long latencyNanosSum;
  private long lastNanos;

  /**
   * Creates a new user.
   *
   * @param roomIndex index in its room, from 0
   * @param index index over all rooms, from 0
   * @param keepsAll whether the times of its messages are needed after the run
   */
  Member(Plan plan, int room, int roomIndex, int index, boolean keepsAll) {
    this.room = room;
    this.roomIndex = roomIndex;
    this.index = index;
    log = new SenderLog(plan.usersHere(), keepsAll);
    isSlow = plan.disturbance().isSlow(index);
    posts = plan.connecting().http();
    devices = plan.workload().extras().devices();
    firstServer = plan.target().serverOf(index);
    server = firstServer;
  }

  String userId() {
    return Integer.toString(roomIndex / devices + 1);
  }

  String username() {
    return "user" + (index - roomIndex % devices);
  }

  /** Returns the JSON field of its JOIN that names the device, after a comma; empty for none. */
  String deviceField() {
    return devices == 1 ? "" : ",\"device\":\"d%d\"".formatted(roomIndex % devices + 1);
  }

  UserState state() {
    return state;
  }

  /** Returns the time of the last change of state. */
  long stateNanos() {
    return stateNanos;
  }

  /** Applies an event, if the current state allows it. */
  void moved(UserState.Event event, long now) {
    if (state.allows(event)) {
      state = state.after(event);
      stateNanos = now;
    }
  }

  /** Returns the index of the current or last server. */
  int server() {
    return server;
  }

  void connectsTo(int next) {
    server = next;
  }

  /** Records a JOIN that is about to be written with this time in its head. */
  void writesJoin(long dueMicros) {
    joinMicros = dueMicros;
    joinsWritten++;
  }

  /** Records that the server rejected the last JOIN, which does not count. */
  void joinWasRefused() {
    joinsWritten--;
  }

  int joinsWritten() {
    return joinsWritten;
  }

  /** Returns whether the user waits for the copy of this JOIN. */
  boolean isJoin(long dueMicros) {
    return state.isAwaitingJoin() && dueMicros == joinMicros;
  }

  /** Records that the user closes its connection, perhaps with an unanswered JOIN. */
  void closes() {
    joinAbandoned = state.isAwaitingJoin();
  }

  /**
   * Returns whether the user closed its connection with an unanswered JOIN, which others may still
   * receive.
   */
  boolean hasAbandonedJoin() {
    return joinAbandoned;
  }

  /** Returns the number of the next signal. */
  int nextSignal() {
    return ++signals;
  }

  int signalsWritten() {
    return signals;
  }

  /** Records that a text was written again. */
  void resent(int seq) {
    log.resend(seq);
    resends++;
  }

  /** Counts a TEXT that arrived at this user. */
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

  /** Passes every message of this user to a sink. */
  void messages(MessageFigures.Receiver sink) {
    boolean joined = log.size() > 0 && !log.isRefused(0);
    for (int seq = joined ? 0 : 1; seq < log.size(); seq++) {
      String type = log.isText(seq) ? "TEXT" : seq == 0 ? "JOIN" : "LEAVE";
      long latency = log.isEchoed(seq) ? log.echoed(seq) - log.written(seq) : -1;
      sink.take(new MessageFigures(room, index, seq, type, log.written(seq), latency));
    }
  }
}
