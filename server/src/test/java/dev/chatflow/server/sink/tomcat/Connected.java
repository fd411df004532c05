package dev.chatflow.server.sink.tomcat;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.FrameSink;
import dev.chatflow.room.Member;
import dev.chatflow.server.sink.MemberSink;
import dev.chatflow.server.sink.Timer;
import dev.chatflow.server.sink.Wire;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.tomcat.websocket.WsRemoteEndpointImplBase;
import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;

/** A member like a connection, without admission. */
final class Connected implements Member, MemberSink.Owner {
  private final String id;
  final int user;
  final MemberSink sink;
  final Wire wire;
  private final WsSession session;
  volatile boolean ended;
  volatile @Nullable CloseReason closing;

  Connected(int user, WsSession session, Sinks sinks, Timer timer) {
    this.user = user;
    this.id = "m" + user;
    this.session = session;
    this.wire = new TomcatWire(session, new ReadState(), timer);
    int port = (Integer) Objects.requireNonNull(session.getUserProperties().get("port"));
    this.sink = sinks.open(session, port, wire, this);
  }

  /** Returns the buffers in which Tomcat encodes and gathers texts. */
  List<ByteBuffer> textBuffers() throws ReflectiveOperationException {
    Field remote = WsSession.class.getDeclaredField("wsRemoteEndpoint");
    remote.setAccessible(true);
    List<ByteBuffer> found = new ArrayList<>();
    for (String name : List.of("outputBuffer", "encoderBuffer")) {
      Field buffer = WsRemoteEndpointImplBase.class.getDeclaredField(name);
      buffer.setAccessible(true);
      found.add((ByteBuffer) Objects.requireNonNull(buffer.get(remote.get(session))));
    }
    return found;
  }

  @Override
  public String connectionId() {
    return id;
  }

  @Override
  public FrameSink sink() {
    return sink;
  }

  @Override
  public void close(CloseReason reason) {
    closing = reason;
    if (reason == CloseReason.SLOW_CONSUMER) {
      sink.cut(reason);
    } else {
      sink.finish(reason, reason.text());
    }
  }

  @Override
  public void entered() {}

  boolean isOpen() {
    return session.isOpen();
  }

  @Override
  public void sendPrivately(byte[] frame) {}

  @Override
  public void pauseWhileBehind(boolean behind) {}
}
