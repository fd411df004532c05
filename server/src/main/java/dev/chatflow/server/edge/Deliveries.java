package dev.chatflow.server.edge;

import dev.chatflow.delivery.Connections;
import dev.chatflow.message.ChatMessage;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.LineWriter;
import dev.chatflow.message.MembersFrame;
import dev.chatflow.message.MessageCodec;
import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FrameSink;
import dev.chatflow.room.Member;
import dev.chatflow.room.Past;

/**
 * Receives from the shard log a connection's messages, its membership and its private frames.
 * Called by the threads of the shard's reader and of the room's round.
 */
final class Deliveries implements Member, Connections.Sender {

  private final ChatConnection connection;
  private final DelayedAnswers early = new DelayedAnswers();

  // Used only by the reader's thread.
  private int names = MembersFrame.NOT_ASKED;
  private boolean incompleteList;

  Deliveries(ChatConnection connection) {
    this.connection = connection;
  }

  @Override
  public String connectionId() {
    return connection.id;
  }

  @Override
  public FrameSink sink() {
    return connection.sink;
  }

  @Override
  public Member member() {
    return this;
  }

  @Override
  public void cameBack(int messages) {
    synchronized (connection) {
      connection.admission.cameBack(messages);
      if (connection.admission.isWindowHalfOpen()) {
        connection.pauses.remove(Pauses.Reason.WINDOW);
      }
    }
  }

  @Override
  public Past joinWasShown(long joinStamp) {
    OwnJoins.Request request;
    synchronized (connection) {
      request = connection.joins.cameBack(joinStamp);
    }
    names = request.names();
    return request.past();
  }

  @Override
  public void sendPrivately(byte[] frame) {
    connection.tell(frame);
  }

  @Override
  public int namesRequested() {
    return names;
  }

  @Override
  public void sendMembers(byte[] frame, boolean complete) {
    incompleteList = !complete;
    connection.tell(frame);
  }

  @Override
  public boolean hasIncompleteList() {
    return incompleteList;
  }

  @Override
  public void wasLeft(long joinStamp) {
    boolean _ = connection.end.wasLeft(joinStamp);
  }

  @Override
  public void wasRemoved(long joinStamp) {
    if (connection.end.wasLeft(joinStamp)) {
      connection.close(CloseReason.REMOVED);
    }
  }

  @Override
  public void resendWasShown(ChatMessage resend) {
    byte[] frame = LineWriter.broadcast(resend, true);
    switch (early.hold(frame)) {
      case YES -> {}
      case YES_AND_FULL -> connection.pause(Pauses.Reason.JOIN);
      case NO -> connection.tell(frame);
    }
  }

  /** Reports that a text was not shown because its user is muted. */
  void wasRefused(String messageId) {
    ErrorFrame error = Posts.muted(messageId, connection.context.timer().millis());
    connection.tell(MessageCodec.error(error));
  }

  @Override
  public void entered() {
    if (early.release(connection::tell)) {
      connection.resume(Pauses.Reason.JOIN);
    }
  }

  @Override
  public void pauseWhileBehind(boolean behind) {
    if (behind) {
      connection.pause(Pauses.Reason.BEHIND);
    } else {
      connection.resume(Pauses.Reason.BEHIND);
    }
  }

  @Override
  public void close(CloseReason reason) {
    connection.close(reason);
  }
}
