package dev.chatflow.client.transport.nio;

import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import dev.chatflow.client.transport.Reason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket connection on one socket: connecting, upgrading, open, closing, closed.
 *
 * <p>Belongs to its transport's thread. Keeps at most one unwritten batch and one incomplete frame.
 */
final class NioConnection implements Connection, FrameDecoder.Listener, NioSocket.Owner {
  private static final byte[] NONE = {};
  private static final int MAX_UNWRITTEN_BYTES = 64 << 10;

  private enum State {
    CONNECTING,
    UPGRADING,
    OPEN,
    CLOSING,
    CLOSED
  }

  private final NioTransport transport;
  private final Upgrade upgrade;
  private final ConnectionEvents events;
  private final FrameDecoder decoder = new FrameDecoder();

  private State state = State.CONNECTING;
  private @Nullable NioSocket socket;
  private byte[] incomplete = NONE;
  private @Nullable ByteBuffer unwritten;
  private int reading = SelectionKey.OP_READ;

  /** OP_WRITE while bytes wait or {@link #awaitWritable} is pending. */
  private int writing;

  private int closeCode = ABNORMAL;
  private String closeReason = "";

  private static final int ABNORMAL = ConnectionEvents.ABNORMAL;

  NioConnection(NioTransport transport, Upgrade upgrade, ConnectionEvents events) {
    this.transport = transport;
    this.upgrade = upgrade;
    this.events = events;
  }

  void start(URI uri, InetSocketAddress address) {
    try {
      socket = transport.open(uri, address, this);
    } catch (IOException e) {
      end(Reason.of(e));
    }
  }

  @Override
  public void ready() {
    NioSocket open = socket;
    if (open == null || state == State.CLOSED) {
      return;
    }
    try {
      if (state == State.CONNECTING) {
        if (open.establish()) {
          sendUpgrade(open);
        }
        return;
      }
      if (open.isWritable()) {
        flush(open);
      }
      if (reading != 0 && open.isReadable()) {
        read(open);
      }
    } catch (IOException e) {
      end(Reason.of(e));
    }
  }

  @Override
  public int write(FrameBatch batch) {
    if (unwritten != null) {
      throw new IllegalStateException("a batch is still unwritten");
    }
    transport.traffic().framesOut += batch.frames();
    NioSocket open = socket;
    if (open == null || state == State.CLOSED) {
      batch.clear();
      return 0;
    }
    int whole = 0;
    try {
      int written = send(open, batch);
      whole = open.isFlushed() ? batch.framesWithin(written) : 0;
      if (written < batch.length() || !open.isFlushed()) {
        keep(Arrays.copyOfRange(batch.bytes(), written, batch.length()));
      }
    } catch (IOException e) {
      end(Reason.of(e));
    }
    batch.clear();
    return whole;
  }

  private int send(NioSocket open, FrameBatch batch) throws IOException {
    ByteBuffer buffer = transport.writeBuffer();
    buffer.clear().put(batch.bytes(), 0, batch.length()).flip();
    int written = open.write(buffer);
    transport.traffic().writes++;
    transport.traffic().bytesOut += written;
    return written;
  }

  private void keep(byte[] rest) {
    transport.traffic().fullSockets++;
    unwritten = ByteBuffer.wrap(rest);
    awaitWritable();
  }

  @Override
  public boolean isWritable() {
    return unwritten == null && state == State.OPEN;
  }

  @Override
  public void awaitWritable() {
    writing = SelectionKey.OP_WRITE;
    interest(reading | writing);
  }

  @Override
  public void pauseReading() {
    reading = 0;
    interest(writing);
  }

  @Override
  public void resumeReading() {
    reading = SelectionKey.OP_READ;
    interest(reading | writing);
  }

  @Override
  public void close(int code) {
    if (state == State.OPEN) {
      state = State.CLOSING;
      control(FrameBatch.OP_CLOSE, new byte[] {(byte) (code >>> 8), (byte) code}, 0, 2);
    } else {
      abort();
    }
  }

  @Override
  public void abort() {
    state = State.CLOSED;
    closeChannel();
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    transport.traffic().framesIn++;
    events.text(bytes, from, to);
  }

  @Override
  public boolean binary(byte[] bytes, int from, int to) {
    transport.traffic().framesIn++;
    return events.binary(bytes, from, to);
  }

  @Override
  public void ping(byte[] bytes, int from, int to) {
    control(FrameBatch.OP_PONG, bytes, from, to);
  }

  @Override
  public void closeFrame(int code, String reason) {
    closeCode = code;
    closeReason = reason;
    if (state == State.OPEN) {
      byte[] echo = code == 1005 ? NONE : new byte[] {(byte) (code >>> 8), (byte) code};
      control(FrameBatch.OP_CLOSE, echo, 0, echo.length);
    }
    end(reason);
  }

  @Override
  public void broken(int code, String reason) {
    closeReason = "protocol error by the server: " + reason;
    control(FrameBatch.OP_CLOSE, new byte[] {(byte) (code >>> 8), (byte) code}, 0, 2);
    end(closeReason);
  }

  private void sendUpgrade(NioSocket open) throws IOException {
    state = State.UPGRADING;
    open.write(ByteBuffer.wrap(upgrade.request())); // a new socket accepts these few bytes
  }

  private void read(NioSocket open) throws IOException {
    byte[] bytes = transport.readBytes();
    int kept = incomplete.length;
    System.arraycopy(incomplete, 0, bytes, 0, kept);
    int read = open.read(transport.readBuffer().clear().position(kept));
    if (read < 0) {
      end("end of stream");
      return;
    }
    transport.tookRead(read);
    if (open.hasMore()) {
      interest(reading | writing);
    }
    int to = kept + read;
    int from = state == State.UPGRADING ? upgraded(bytes, to) : 0;
    if (state == State.OPEN || state == State.CLOSING) {
      from = decoder.decode(bytes, from, to, this);
    }
    keepIncomplete(bytes, from, to);
  }

  private void keepIncomplete(byte[] bytes, int from, int to) {
    if (to - from == bytes.length) {
      end("frame longer than the read buffer");
    }
    incomplete = from == to ? NONE : Arrays.copyOfRange(bytes, from, to);
  }

  private int upgraded(byte[] bytes, int to) {
    int end = Upgrade.endOfHeader(bytes, 0, to);
    if (end < 0) {
      if (to > Upgrade.MAX_RESPONSE_BYTES) {
        end("response header too long");
      }
      return 0;
    }
    String refusal = upgrade.refusal(bytes, 0, end);
    if (refusal != null) {
      end(refusal);
    } else {
      state = State.OPEN;
      events.opened();
    }
    return end;
  }

  private void flush(NioSocket open) throws IOException {
    if (writing == 0) {
      interest(reading); // resumes reading
      return;
    }
    ByteBuffer rest = unwritten;
    if (rest != null) {
      transport.traffic().bytesOut += open.write(rest);
      transport.traffic().writes++;
      if (rest.hasRemaining() || !open.isFlushed()) {
        return;
      }
      unwritten = null;
    }
    writing = 0;
    interest(reading);
    if (state == State.OPEN) {
      events.writable();
    }
  }

  private void control(int opcode, byte[] bytes, int from, int to) {
    FrameBatch batch = transport.controlBatch();
    int at = batch.begin(opcode, to - from);
    System.arraycopy(bytes, from, batch.bytes(), at, to - from);
    batch.end();
    ByteBuffer before = unwritten;
    if (before == null) {
      write(batch);
      return;
    }
    if (before.remaining() > MAX_UNWRITTEN_BYTES) {
      batch.clear();
      end("more pings than the socket accepts answers");
      return;
    }
    ByteBuffer both = ByteBuffer.allocate(before.remaining() + batch.length());
    unwritten = both.put(before).put(batch.bytes(), 0, batch.length()).flip();
    batch.clear();
  }

  private void interest(int operations) {
    NioSocket open = socket;
    if (open != null) {
      open.interest(operations);
    }
  }

  private void end(String reason) {
    State before = state;
    if (before == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    closeChannel();
    if (before == State.CONNECTING || before == State.UPGRADING) {
      events.refused(reason);
    } else {
      events.closed(closeCode, closeReason.isEmpty() ? reason : closeReason);
    }
  }

  private void closeChannel() {
    NioSocket open = socket;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        closeReason = e.toString(); // the socket is closed in any case
      }
    }
  }
}
