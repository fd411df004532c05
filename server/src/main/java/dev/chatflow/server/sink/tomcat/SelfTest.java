package dev.chatflow.server.sink.tomcat;

import dev.chatflow.room.CloseReason;
import dev.chatflow.room.LogRange;
import dev.chatflow.room.RoomLog;
import dev.chatflow.server.sink.DirectSink;
import dev.chatflow.server.sink.MemberSink;
import dev.chatflow.support.Poll;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Extension;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;

/**
 * Tests the direct sink on a connection of this process to itself: frames of every length form,
 * writes that wait for the reader, a ping from each side, a masked one from the client, and a
 * close, compared byte by byte.
 *
 * <p>One thread tests; the container calls the endpoint, which accepts only the test's connection.
 */
final class SelfTest {

  static final String PATH = "/self-test";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Poll LOOK = Poll.everyMillis(1);

  /** Maximum ranges written until one has to wait: 32 MB, more than a socket holds. */
  private static final int MAX_RANGES = 200;

  private static final int[] LENGTHS = {0, 1, 125, 126, 300, 8_192, 65_535, 70_000, 2};

  /** As long as a ping may be, so that it is unmasked in pieces of each length. */
  private static final byte[] QUESTION = "alive".repeat(25).getBytes(StandardCharsets.US_ASCII);

  private static final byte[] ERROR = "between two ranges".getBytes(StandardCharsets.US_ASCII);

  private final String key = "self-test://" + UUID.randomUUID();
  private final BlockingQueue<WsSession> opened = new ArrayBlockingQueue<>(1);
  private final BiFunction<WsSession, MemberSink.Owner, @Nullable DirectSink> sinks;
  private final byte[][] payloads = new byte[LENGTHS.length][];
  private final LogRange range;
  private volatile boolean over;

  /** The result for one connector. */
  sealed interface Result {
    /** Every byte was right. */
    record Passed() implements Result {}

    /** The direct sink does not work here. */
    record Failed(String reason) implements Result {}

    /** The connector does not lead to this application. */
    record NotOurs() implements Result {}
  }

  /**
   * Creates a test.
   *
   * @param sinks creates the direct sink of a session; null if the session cannot have one
   */
  SelfTest(BiFunction<WsSession, MemberSink.Owner, @Nullable DirectSink> sinks) {
    this.sinks = sinks;
    for (int i = 0; i < LENGTHS.length; i++) {
      payloads[i] = new byte[LENGTHS[i]];
      for (int j = 0; j < LENGTHS[i]; j++) {
        payloads[i][j] = (byte) ('a' + (i + j * 7) % 26);
      }
    }
    range = RoomLog.rangeOf(payloads);
  }

  /** Returns the endpoint to register with the container. */
  ServerEndpointConfig endpoint() {
    return ServerEndpointConfig.Builder.create(Opened.class, PATH).configurator(new Gate()).build();
  }

  /** Ends the test: no connection is accepted any more. */
  void end() {
    over = true;
  }

  /**
   * Tests one connector; takes a few milliseconds, in bad cases about ten seconds.
   *
   * @param host the virtual host's name
   * @param contextPath the path of the application
   */
  Result by(Connectors.Connector connector, String host, String contextPath) {
    try (SelfTestPeer peer = new SelfTestPeer(connector, PATIENCE)) {
      int status = peer.upgrade(host, contextPath + PATH, key);
      if (status != HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
        return new Result.NotOurs();
      }
      WsSession session = opened.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (session == null) {
        return new Result.Failed("the connection was not opened");
      }
      converse(session, peer);
      return new Result.Passed();
    } catch (IOException
        | GeneralSecurityException
        | ExecutionException
        | TimeoutException
        | RuntimeException
        | LinkageError e) {
      return new Result.Failed(e.getClass().getSimpleName() + ": " + e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Result.Failed("interrupted");
    }
  }

  private void converse(WsSession session, SelfTestPeer peer)
      throws IOException, ExecutionException, InterruptedException, TimeoutException {
    DirectSink sink = sinks.apply(session, new MemberSink.Owner() {});
    if (sink == null) {
      throw new IOException("connections of this kind have no asynchronous writes");
    }
    try {
      int ranges = 0;
      CompletableFuture<Boolean> waiting = CompletableFuture.completedFuture(true);
      while (waiting.isDone()) {
        if (++ranges > MAX_RANGES) {
          throw new IOException("no write ever waited for its reader");
        }
        waiting = write(sink);
      }
      boolean _ = sink.tell(ERROR);
      peer.send(SelfTestPeer.PING, QUESTION);
      boolean answered = expectRanges(peer, ranges);
      boolean _ = waiting.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      answered |= expect(peer, SelfTestPeer.TEXT, ERROR, !answered);
      boolean _ = write(sink).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      for (byte[] payload : payloads) {
        answered |= expect(peer, SelfTestPeer.TEXT, payload, !answered);
      }
      if (!answered) {
        expect(peer, SelfTestPeer.PONG, QUESTION, false);
      }
      awaitPing(sink);
      expect(peer, SelfTestPeer.PING, new byte[0], false);
      sink.finish(CloseReason.NORMAL, "");
      byte[] code = {(byte) (CloseReason.NORMAL.code() >> 8), (byte) CloseReason.NORMAL.code()};
      expect(peer, SelfTestPeer.CLOSE, code, false);
      peer.send(SelfTestPeer.CLOSE, code);
      if (!peer.isAtEnd()) {
        throw new IOException("bytes after the close frame");
      }
    } finally {
      sink.cut(CloseReason.NORMAL); // does nothing if all went well
    }
  }

  /** Waits for a ping to be sent: the thread of the last write may not have finished. */
  private static void awaitPing(DirectSink sink) throws IOException {
    if (!LOOK.until(sink::ping, PATIENCE)) {
      throw new IOException("a sink with nothing to write does not ping");
    }
  }

  private CompletableFuture<Boolean> write(DirectSink sink) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    sink.write(range, () -> done.complete(true));
    return done;
  }

  private boolean expectRanges(SelfTestPeer peer, int ranges) throws IOException {
    boolean answered = false;
    for (int i = 0; i < ranges; i++) {
      for (byte[] payload : payloads) {
        answered |= expect(peer, SelfTestPeer.TEXT, payload, !answered);
      }
    }
    return answered;
  }

  /** Reads one frame, and a pong if it arrives first; returns whether there was one. */
  private static boolean expect(SelfTestPeer peer, int head, byte[] payload, boolean pongMayCome)
      throws IOException {
    SelfTestPeer.Received frame = peer.receive();
    boolean pong =
        pongMayCome
            && frame.head() == SelfTestPeer.PONG
            && Arrays.equals(frame.payload(), QUESTION);
    if (pong) {
      frame = peer.receive();
    }
    if (frame.head() != head || !Arrays.equals(frame.payload(), payload)) {
      throw new IOException(
          "received a frame %02x of %d bytes, expected %02x of %d bytes"
              .formatted(frame.head(), frame.payload().length, head, payload.length));
    }
    return pong;
  }

  /** Accepts only the test's own connection. */
  private final class Gate extends ServerEndpointConfig.Configurator {
    @Override
    public boolean checkOrigin(String origin) {
      return !over && key.equals(origin);
    }

    @Override
    public List<Extension> getNegotiatedExtensions(
        List<Extension> installed, List<Extension> requested) {
      return List.of();
    }

    @Override
    public <T> T getEndpointInstance(Class<T> type) {
      return type.cast(new Opened(opened));
    }
  }

  /** Passes on the test's connection. */
  static final class Opened extends Endpoint {
    private final BlockingQueue<WsSession> opened;

    Opened(BlockingQueue<WsSession> opened) {
      this.opened = opened;
    }

    @Override
    public void onOpen(Session session, EndpointConfig config) {
      boolean _ = session instanceof WsSession tomcats && opened.offer(tomcats);
    }
  }
}
