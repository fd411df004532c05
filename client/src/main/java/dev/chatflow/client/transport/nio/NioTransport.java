package dev.chatflow.client.transport.nio;

import dev.chatflow.client.record.Traffic;
import dev.chatflow.client.transport.Access;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import dev.chatflow.client.transport.HttpChannel;
import dev.chatflow.client.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The selector and the connections of one load thread.
 *
 * <p>Belongs to that thread, except {@link #wakeup}. All connections share one read buffer and one
 * batch. Bytes are handled at once; connections keep only incomplete frames.
 */
public final class NioTransport implements Transport {
  private static final int READ_BUFFER_BYTES = 128 << 10;
  private static final int BATCH_BYTES = 24 << 10; // more than any server accepts in a message

  /**
   * The kernel's buffer for an unread connection, which it doubles for its own overhead. A larger
   * buffer would hide from the server that this client is slow. At the kernel's default of 4 MB and
   * more, a thousand connections exhaust the TCP memory of the machine.
   */
  private static final int KERNEL_BUFFER_BYTES = 256 << 10;

  private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final Access access;
  private final Selector selector;
  private final Random random;
  private final FrameBatch batch;
  private final FrameBatch controlBatch;
  private final Traffic traffic = new Traffic();
  private final byte[] readBytes;
  private final ByteBuffer readBuffer;
  private final ByteBuffer writeBuffer = ByteBuffer.allocateDirect(BATCH_BYTES);
  private int bound;
  private long firstReadyNanos;
  private long readNanos = System.nanoTime();

  /** Creates a transport without credentials. */
  public NioTransport(long seed) {
    this(seed, Access.OPEN);
  }

  public NioTransport(long seed, Access access) {
    this(seed, access, READ_BUFFER_BYTES);
  }

  /**
   * @param readBufferBytes size of the shared buffer; a server's frame must be shorter
   */
  public NioTransport(long seed, Access access, int readBufferBytes) {
    this.access = access;
    readBytes = new byte[readBufferBytes];
    readBuffer = ByteBuffer.wrap(readBytes);
    random = new Random(seed);
    batch = new FrameBatch(BATCH_BYTES, random.nextLong());
    controlBatch = new FrameBatch(1024, random.nextLong());
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException("no selector", e);
    }
  }

  @Override
  public Connection connect(
      URI uri, InetSocketAddress address, String headers, ConnectionEvents events) {
    Upgrade upgrade = new Upgrade(uri, random, access.headerLines() + headers);
    NioConnection connection = new NioConnection(this, upgrade, events);
    connection.start(uri, address);
    return connection;
  }

  @Override
  public HttpChannel http(URI uri, InetSocketAddress address, HttpChannel.Events events) {
    return new HttpConnection(this, uri, address, access.headerLines(), events);
  }

  @Override
  public void poll(long nanos) throws IOException {
    long start = System.nanoTime();
    firstReadyNanos = 0;
    if (nanos >= TimeUnit.MILLISECONDS.toNanos(1)) {
      selector.select(this::handle, TimeUnit.NANOSECONDS.toMillis(nanos));
    } else if (selector.selectNow(this::handle) == 0 && nanos > 0) {
      LockSupport.parkNanos(Math.min(nanos, PARK_NANOS));
      selector.selectNow(this::handle);
    }
    long waitedUntil = firstReadyNanos == 0 ? System.nanoTime() : firstReadyNanos;
    traffic.waitedNanos += waitedUntil - start;
  }

  @Override
  public long readNanos() {
    return readNanos;
  }

  @Override
  public FrameBatch batch() {
    return batch;
  }

  @Override
  public Traffic traffic() {
    return traffic;
  }

  @Override
  public void wakeup() {
    selector.wakeup();
  }

  @Override
  public void close() {
    try {
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException("closing the selector", e);
    }
  }

  /** Starts to connect, from the next source address if any are set. */
  NioSocket open(URI uri, InetSocketAddress address, NioSocket.Owner owner) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_RCVBUF, KERNEL_BUFFER_BYTES);
      List<InetAddress> own = access.localAddresses();
      if (!own.isEmpty()) {
        channel.bind(new InetSocketAddress(own.get(bound++ % own.size()), 0));
      }
      boolean secure = Set.of("wss", "https").contains(uri.getScheme());
      TlsStream tls = secure ? new TlsStream(channel, access.trusted(), uri) : null;
      return NioSocket.connect(channel, address, tls, selector, owner);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  void tookRead(int bytes) {
    readNanos = System.nanoTime();
    traffic.reads++;
    traffic.bytesIn += bytes;
  }

  FrameBatch controlBatch() {
    return controlBatch;
  }

  byte[] readBytes() {
    return readBytes;
  }

  ByteBuffer readBuffer() {
    return readBuffer;
  }

  ByteBuffer writeBuffer() {
    return writeBuffer;
  }

  private void handle(SelectionKey key) {
    if (firstReadyNanos == 0) {
      firstReadyNanos = System.nanoTime();
    }
    if (key.attachment() instanceof NioSocket.Owner selected) {
      selected.ready();
    }
  }
}
