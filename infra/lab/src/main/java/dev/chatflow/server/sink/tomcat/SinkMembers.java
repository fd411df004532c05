package dev.chatflow.server.sink.tomcat;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FrameSink;
import dev.chatflow.room.Member;
import dev.chatflow.room.Past;
import dev.chatflow.server.ServerTimer;
import dev.chatflow.server.sink.DirectSink;
import dev.chatflow.server.sink.DirectWire;
import dev.chatflow.server.sink.MemberSink;
import dev.chatflow.server.sink.PortableSink;
import dev.chatflow.server.sink.Wire;
import jakarta.websocket.Session;
import java.time.Duration;
import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;

/** Members made of a sink and nothing else, for measurements without sessions and broker. */
public final class SinkMembers implements AutoCloseable {

  private static final Duration DEADLINE = Duration.ofSeconds(15);

  private final ReadState readState = new ReadState();
  private final ServerTimer timer = new ServerTimer();
  private final @Nullable TomcatInternals internals;

  private SinkMembers(@Nullable TomcatInternals internals) {
    this.internals = internals;
  }

  /**
   * Members with one kind of sink.
   *
   * @param sink portable or direct
   */
  public static SinkMembers of(String sink) {
    try {
      return switch (sink) {
        case "portable" -> new SinkMembers(null);
        case "direct" -> new SinkMembers(new TomcatInternals());
        default -> throw new IllegalArgumentException("no sink " + sink);
      };
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
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
    private final MemberSink sink;

    SinkMember(WsSession session) {
      id = session.getId();
      wire = new TomcatWire(session, readState, timer);
      DirectWire past =
          internals == null ? null : internals.wire(session, wire, 2 * DEADLINE.toMillis());
      sink =
          past == null ? new PortableSink(wire, this) : new DirectSink(past, this, timer, DEADLINE);
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
    public Past past() {
      return Past.NONE;
    }

    @Override
    public void entered() {}

    @Override
    public void tellAside(byte[] frame) {}

    @Override
    public void pauseWhileBehind(boolean behind) {
      if (behind) {
        wire.suspend();
      } else {
        wire.resume();
      }
    }
  }
}
