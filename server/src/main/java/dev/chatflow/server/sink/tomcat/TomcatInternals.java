package dev.chatflow.server.sink.tomcat;

import dev.chatflow.server.sink.DirectWire;
import dev.chatflow.server.sink.Wire;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.util.net.SocketWrapperBase.BlockingMode;
import org.apache.tomcat.util.net.SocketWrapperBase.CompletionState;
import org.apache.tomcat.websocket.WsRemoteEndpointImplBase;
import org.apache.tomcat.websocket.WsSession;
import org.apache.tomcat.websocket.server.WsRemoteEndpointImplServer;
import org.jspecify.annotations.Nullable;

/**
 * The non-public members of Tomcat that the direct sink needs, looked up once: the socket wrapper
 * of a session and the permit of its messages. Connections that use it are also read faster, and
 * hold less memory.
 *
 * <p>Apart from {@link Unmasking} and {@link TextBuffers}, no other class uses such members.
 * Thread-safe. Whether they still have the same meaning is checked by the self-test.
 */
final class TomcatInternals {

  private final MethodHandle remoteOfSession;
  private final MethodHandle wrapperOfRemote;
  private final MethodHandle permitOfRemote;
  private final MethodHandle endMessage;
  private final VarHandle closed;
  private final @Nullable Unmasking unmasking = Unmasking.find();
  private final @Nullable TextBuffers textBuffers = TextBuffers.find();

  /**
   * Looks them up.
   *
   * @throws ReflectiveOperationException if this Tomcat has other members
   */
  TomcatInternals() throws ReflectiveOperationException {
    MethodHandles.Lookup session = lookup(WsSession.class);
    MethodHandles.Lookup server = lookup(WsRemoteEndpointImplServer.class);
    MethodHandles.Lookup base = lookup(WsRemoteEndpointImplBase.class);
    remoteOfSession =
        session.findGetter(WsSession.class, "wsRemoteEndpoint", WsRemoteEndpointImplBase.class);
    wrapperOfRemote =
        server.findGetter(
            WsRemoteEndpointImplServer.class, "socketWrapper", SocketWrapperBase.class);
    permitOfRemote =
        base.findGetter(WsRemoteEndpointImplBase.class, "messagePartInProgress", Semaphore.class);
    endMessage =
        base.findVirtual(
            WsRemoteEndpointImplBase.class,
            "endMessage",
            MethodType.methodType(void.class, SendHandler.class, SendResult.class));
    closed = base.findVarHandle(WsRemoteEndpointImplBase.class, "closed", boolean.class);
  }

  private static MethodHandles.Lookup lookup(Class<?> owner) throws IllegalAccessException {
    return MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
  }

  /**
   * Returns direct access to one session.
   *
   * @param wire closes the session by the public API
   * @param timeoutMillis after which Tomcat fails a write that makes no progress
   * @return null if this session is another kind of connection
   */
  @Nullable DirectWire wire(WsSession session, Wire wire, long timeoutMillis) {
    try {
      Object remote = remoteOfSession.invoke(session);
      if (remote instanceof WsRemoteEndpointImplServer server) {
        var socket = (SocketWrapperBase<?>) wrapperOfRemote.invoke(server);
        var permit = (Semaphore) permitOfRemote.invoke(server);
        if (socket != null && permit != null && socket.hasAsyncIO()) {
          if (unmasking != null) {
            unmasking.install(session);
          }
          if (textBuffers != null) {
            textBuffers.drop(server);
          }
          return new Connection(server, socket, permit, wire, timeoutMillis);
        }
      }
      return null;
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  private static RuntimeException unexpected(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException failure
        ? failure
        : new IllegalStateException(thrown.getMessage(), thrown);
  }

  private final class Connection implements DirectWire {
    private final WsRemoteEndpointImplBase remote;
    private final SocketWrapperBase<?> socket;
    private final Semaphore permit;
    private final Wire wire;
    private final long timeoutMillis;

    Connection(
        WsRemoteEndpointImplBase remote,
        SocketWrapperBase<?> socket,
        Semaphore permit,
        Wire wire,
        long timeoutMillis) {
      this.remote = remote;
      this.socket = socket;
      this.permit = permit;
      this.wire = wire;
      this.timeoutMillis = timeoutMillis;
    }

    @Override
    public boolean tryBegin() {
      return permit.tryAcquire();
    }

    @Override
    public boolean isCloseSent() {
      return (boolean) closed.getVolatile(remote);
    }

    @Override
    public Started write(ByteBuffer[] frames, CompletionHandler<Long, @Nullable Void> handler) {
      CompletionState state =
          socket.write(
              BlockingMode.NON_BLOCK,
              timeoutMillis,
              TimeUnit.MILLISECONDS,
              null,
              SocketWrapperBase.COMPLETE_WRITE,
              handler,
              frames);
      return switch (state) {
        case INLINE -> Started.WRITTEN;
        case PENDING, DONE, ERROR -> Started.IN_THE_AIR;
        case NOT_DONE -> Started.NOT_STARTED;
      };
    }

    /** Releases the permit. Frames that the container queued in the meantime are sent only here. */
    @Override
    public void end() {
      try {
        endMessage.invokeExact(remote, (SendHandler) null, (SendResult) null);
      } catch (Throwable t) {
        throw unexpected(t);
      }
    }

    @Override
    public void close(int code, String reason) {
      wire.close(code, reason);
    }

    @Override
    public void abort(int code, String reason) {
      wire.abort(code, reason);
    }
  }
}
