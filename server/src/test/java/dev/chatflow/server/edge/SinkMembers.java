package dev.chatflow.server.edge;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FrameSink;
import dev.chatflow.room.Member;
import jakarta.websocket.Session;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.tomcat.websocket.WsSession;

/** Members made of a sink and nothing else, for measurements without sessions and broker. */
public final class SinkMembers implements AutoCloseable {

  private final ReadState readState = new ReadState();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

  private SinkMembers() {}

  /**
   * Members with one kind of sink.
   *
   * @param sink portable or direct
   */
  public static SinkMembers of(String sink) {
    if (!sink.equals("portable")) {
      throw new IllegalArgumentException("no sink " + sink);
    }
    return new SinkMembers();
  }

  /** A member that writes to this connection. */
  public Member member(Session session) {
    return new SinkMember((WsSession) session);
  }

  /** The member's connection has ended. */
  public void ended(Member member) {
    ((SinkMember) member).sink.ended();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private final class SinkMember implements Member, MemberSink.Owner {
    private final String id;
    private final Wire wire;
    private final PortableSink sink;

    SinkMember(WsSession session) {
      id = session.getId();
      wire = new TomcatWire(session, readState, timer);
      sink = new PortableSink(wire, this);
    }

    @Override
    public String session() {
      return id;
    }

    @Override
    public FrameSink sink() {
      return sink;
    }

    @Override
    public void close(CloseReason reason) {
      sink.finish(reason, reason.text());
    }

    @Override
    public void pauseWhileBehind(boolean behind) {
      if (behind) {
        wire.suspend();
      } else {
        wire.resume();
      }
    }

    @Override
    public void mailboxHasRoom() {}

    @Override
    public void closeSent() {}

    @Override
    public void wrote(long startedNanos) {}
  }
}
