package dev.chatflow.client.fake;

import dev.chatflow.client.record.Traffic;
import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import dev.chatflow.client.transport.HttpChannel;
import dev.chatflow.client.transport.Transport;
import java.net.InetSocketAddress;
import java.net.URI;

/** Connects to a {@link VirtualChat}; polling advances its time. Belongs to one thread. */
public final class VirtualTransport implements Transport {
  private final VirtualChat chat;
  private final Traffic traffic = new Traffic();
  private final FrameBatch batch = new FrameBatch(16 << 10, 1);

  public VirtualTransport(VirtualChat chat) {
    this.chat = chat;
  }

  @Override
  public Connection connect(
      URI uri, InetSocketAddress address, String headers, ConnectionEvents events) {
    String room = uri.getPath().substring(uri.getPath().lastIndexOf('/') + 1);
    VirtualConnection connection = new VirtualConnection(chat, room, events, traffic);
    chat.dialled(address.getPort(), headers);
    chat.connecting(connection, events);
    return connection;
  }

  @Override
  public HttpChannel http(URI uri, InetSocketAddress address, HttpChannel.Events events) {
    String room = uri.getPath().split("/", -1)[3];
    return new HttpChannel() {
      private int waiting;

      @Override
      public void post(byte[] body, String idempotencyKey, String headers) {
        int request = ++waiting;
        chat.post(room, body.clone(), events, _ -> waiting == request);
      }

      @Override
      public void abort() {
        waiting++;
      }
    };
  }

  @Override
  public void poll(long nanos) {
    long before = chat.nanoTime();
    chat.pass(nanos);
    traffic.waitedNanos += chat.nanoTime() - before;
  }

  @Override
  public long readNanos() {
    return chat.nanoTime();
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
    // no thread waits
  }

  @Override
  public void close() {
    // nothing to free
  }
}
