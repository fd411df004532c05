package dev.chatflow.client.transport.nio;

import dev.chatflow.client.transport.HttpChannel;
import dev.chatflow.client.transport.HttpEvents;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One kept HTTP/1.1 connection with at most one request on it.
 *
 * <p>Belongs to its transport's thread.
 */
final class HttpConnection implements HttpChannel, Selected {
  private static final byte[] NONE = {};
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final NioTransport transport;
  private final Selector selector;
  private final InetSocketAddress address;
  private final String head;
  private final HttpEvents events;

  private @Nullable SocketChannel channel;
  private ByteBuffer unwritten = NOTHING;
  private byte[] incomplete = NONE;
  private boolean waiting;

  HttpConnection(
      NioTransport transport,
      Selector selector,
      URI uri,
      InetSocketAddress address,
      String headers,
      HttpEvents events) {
    this.transport = transport;
    this.selector = selector;
    this.address = address;
    this.events = events;
    head =
        "POST "
            + uri.getRawPath()
            + " HTTP/1.1\r\nHost: "
            + uri.getRawAuthority()
            + "\r\n"
            + headers
            + "Content-Type: application/json\r\nIdempotency-Key: ";
  }

  @Override
  public void post(byte[] body, String idempotencyKey) {
    byte[] start =
        (head + idempotencyKey + "\r\nContent-Length: " + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] request = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, request, start.length, body.length);
    unwritten = ByteBuffer.wrap(request);
    waiting = true;
    transport.traffic().framesOut++;
    try {
      SocketChannel open = channel;
      if (open == null) {
        connect();
      } else if (open.isConnected()) {
        write(open, keyOf(open));
      }
    } catch (IOException e) {
      fail(e.toString());
    }
  }

  @Override
  public void abort() {
    waiting = false;
    SocketChannel open = channel;
    channel = null;
    incomplete = NONE;
    if (open != null) {
      NioTransport.close(open);
    }
  }

  @Override
  public void ready(SelectionKey key) {
    SocketChannel open = channel;
    if (open == null) {
      return;
    }
    try {
      if (key.isConnectable() && open.finishConnect()) {
        write(open, key);
      } else if (key.isWritable()) {
        write(open, key);
      }
      if (key.isValid() && key.isReadable()) {
        read(open);
      }
    } catch (IOException e) {
      fail(e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  private void connect() throws IOException {
    SocketChannel fresh = SocketChannel.open();
    channel = fresh;
    fresh.configureBlocking(false);
    fresh.setOption(StandardSocketOptions.TCP_NODELAY, true);
    transport.bind(fresh);
    boolean connected = fresh.connect(address);
    SelectionKey key = fresh.register(selector, SelectionKey.OP_CONNECT, this);
    if (connected) {
      write(fresh, key);
    }
  }

  private void write(SocketChannel open, SelectionKey key) throws IOException {
    transport.traffic().bytesOut += open.write(unwritten);
    transport.traffic().writes++;
    key.interestOps(
        unwritten.hasRemaining()
            ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
            : SelectionKey.OP_READ);
  }

  private SelectionKey keyOf(SocketChannel open) throws IOException {
    SelectionKey key = open.keyFor(selector);
    if (key == null) {
      throw new IOException("not watched");
    }
    return key;
  }

  private void read(SocketChannel open) throws IOException {
    byte[] bytes = transport.readBytes();
    int kept = incomplete.length;
    System.arraycopy(incomplete, 0, bytes, 0, kept);
    int read = open.read(transport.readBuffer().clear().position(kept));
    if (read < 0) {
      fail("connection closed by the server");
      return;
    }
    transport.tookRead(read);
    HttpAnswer answer = HttpAnswer.of(bytes, kept + read);
    if (answer.end() == HttpAnswer.INCOMPLETE) {
      incomplete = Arrays.copyOf(bytes, kept + read);
      return;
    }
    incomplete = NONE;
    transport.traffic().framesIn++;
    boolean asked = waiting;
    waiting = false;
    if (answer.closes() || !asked) {
      abort();
    }
    if (asked) {
      events.answered(answer.status(), answer.retryAfterMillis());
    }
  }

  /** A kept connection may end between two requests: that is nobody's failure. */
  private void fail(String reason) {
    boolean asked = waiting;
    abort();
    if (asked) {
      events.failed(reason);
    }
  }
}
