package dev.chatflow.client.transport.nio;

import dev.chatflow.client.transport.HttpChannel;
import dev.chatflow.client.transport.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A persistent HTTP/1.1 connection with at most one request.
 *
 * <p>Belongs to its transport's thread.
 */
final class HttpConnection implements HttpChannel, NioSocket.Owner {
  private static final byte[] NONE = {};
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final NioTransport transport;
  private final URI uri;
  private final InetSocketAddress address;
  private final String head;
  private final HttpChannel.Events events;

  private @Nullable NioSocket socket;
  private ByteBuffer unwritten = NOTHING;
  private byte[] incomplete = NONE;
  private boolean waiting;

  HttpConnection(
      NioTransport transport,
      URI uri,
      InetSocketAddress address,
      String headers,
      HttpChannel.Events events) {
    this.transport = transport;
    this.uri = uri;
    this.address = address;
    this.events = events;
    head =
        """
        POST %s HTTP/1.1\r
        Host: %s\r
        %sContent-Type: application/json\r
        """
            .formatted(uri.getRawPath(), uri.getRawAuthority(), headers);
  }

  @Override
  public void post(byte[] body, String idempotencyKey, String headers) {
    byte[] start =
        (head
                + "Idempotency-Key: "
                + idempotencyKey
                + "\r\n"
                + headers
                + "Content-Length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] request = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, request, start.length, body.length);
    unwritten = ByteBuffer.wrap(request);
    waiting = true;
    transport.traffic().framesOut++;
    try {
      NioSocket open = socket;
      if (open == null) {
        socket = transport.open(uri, address, this);
      } else if (open.isEstablished()) {
        write(open);
      }
    } catch (IOException e) {
      fail(Reason.of(e));
    }
  }

  @Override
  public void abort() {
    waiting = false;
    NioSocket open = socket;
    socket = null;
    incomplete = NONE;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new UncheckedIOException("closing a socket", e);
      }
    }
  }

  @Override
  public void ready() {
    NioSocket open = socket;
    if (open == null) {
      return;
    }
    try {
      if (!open.isEstablished()) {
        if (open.establish()) {
          write(open);
        }
        return;
      }
      if (open.isWritable()) {
        write(open);
      }
      if (open.isReadable()) {
        read(open);
      }
    } catch (IOException e) {
      fail(Reason.of(e));
    }
  }

  private void write(NioSocket open) throws IOException {
    transport.traffic().bytesOut += open.write(unwritten);
    transport.traffic().writes++;
    open.interest(
        unwritten.hasRemaining() || !open.isFlushed()
            ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
            : SelectionKey.OP_READ);
  }

  private void read(NioSocket open) throws IOException {
    byte[] bytes = transport.readBytes();
    int kept = incomplete.length;
    System.arraycopy(incomplete, 0, bytes, 0, kept);
    int read = open.read(transport.readBuffer().clear().position(kept));
    if (read < 0) {
      fail("connection closed by the server");
      return;
    }
    transport.tookRead(read);
    if (open.hasMore()) {
      open.interest(SelectionKey.OP_READ);
    }
    HttpAnswer answer = HttpAnswer.of(bytes, kept + read);
    if (answer.end() == HttpAnswer.INCOMPLETE) {
      incomplete = Arrays.copyOf(bytes, kept + read);
      return;
    }
    incomplete = NONE;
    transport.traffic().framesIn++;
    boolean wasWaiting = waiting;
    waiting = false;
    if (answer.closes() || !wasWaiting) {
      abort();
    }
    if (wasWaiting) {
      events.answered(answer.status(), answer.retryAfterMillis());
    }
  }

  /** Reports a failure, unless the connection ended between two requests, which is normal. */
  private void fail(String reason) {
    boolean wasWaiting = waiting;
    abort();
    if (wasWaiting) {
      events.failed(reason);
    }
  }
}
