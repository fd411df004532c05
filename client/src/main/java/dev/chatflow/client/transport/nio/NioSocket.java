package dev.chatflow.client.transport.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A non-blocking socket and its selection key: connects, encrypts if its URI requires it, then
 * transfers bytes.
 *
 * <p>Belongs to its transport's thread.
 */
final class NioSocket {
  /** The owner of a socket in the selector. */
  interface Owner {
    void ready();
  }

  private final SocketChannel channel;
  private final SelectionKey key;
  private final @Nullable TlsStream tls;
  private boolean established;

  private NioSocket(SocketChannel channel, SelectionKey key, @Nullable TlsStream tls) {
    this.channel = channel;
    this.key = key;
    this.tls = tls;
  }

  /**
   * Starts to connect.
   *
   * @param tls encrypts the channel; null for plain bytes
   * @param owner notified when the socket is ready; calls {@link #establish} until that is done
   */
  static NioSocket connect(
      SocketChannel channel,
      InetSocketAddress address,
      @Nullable TlsStream tls,
      Selector selector,
      Owner owner)
      throws IOException {
    boolean connected = channel.connect(address);
    int next = connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT;
    return new NioSocket(channel, channel.register(selector, next, owner), tls);
  }

  /** Continues connecting and the TLS handshake; returns true when they are done. */
  boolean establish() throws IOException {
    if (!established && (channel.isConnected() || channel.finishConnect())) {
      TlsStream secure = tls;
      int awaited = secure == null ? 0 : secure.handshake();
      established = awaited == 0;
      key.interestOps(established ? SelectionKey.OP_READ : awaited);
    }
    return established;
  }

  boolean isEstablished() {
    return established;
  }

  int read(ByteBuffer target) throws IOException {
    TlsStream secure = tls;
    return secure == null ? channel.read(target) : secure.read(target);
  }

  /** Returns whether there are bytes to read. */
  boolean isReadable() {
    return key.isValid() && (key.isReadable() || hasMore());
  }

  boolean isWritable() {
    return key.isValid() && key.isWritable();
  }

  /**
   * Writes as much as possible; {@link #isFlushed} reports whether the socket accepted all of it.
   */
  int write(ByteBuffer source) throws IOException {
    TlsStream secure = tls;
    return secure == null ? channel.write(source) : secure.write(source);
  }

  boolean isFlushed() {
    TlsStream secure = tls;
    return secure == null || secure.isFlushed();
  }

  /** Sets the operations to wait for; decrypted bytes that were not read wake the selector. */
  void interest(int operations) {
    if (key.isValid()) {
      boolean waiting = (operations & SelectionKey.OP_READ) != 0 && hasMore();
      key.interestOps(waiting ? operations | SelectionKey.OP_WRITE : operations);
    }
  }

  void close() throws IOException {
    TlsStream secure = tls;
    if (secure == null) {
      channel.close();
    } else {
      secure.close();
    }
  }

  /** Returns whether decrypted bytes wait, for which the socket reports no readiness. */
  boolean hasMore() {
    TlsStream secure = tls;
    return secure != null && secure.hasMore();
  }
}
