package dev.chatflow.lab.load;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * A server that costs little and writes a chosen number of frames per write: it answers JOIN, TEXT
 * and LEAVE by copying the client's own message into a broadcast, once per message, shared by all
 * members.
 *
 * <p>One thread. Every member of a room has a cursor into the room's log of frames, so that a write
 * always carries up to {@code framesPerWrite} frames.
 */
final class Blaster implements Runnable {
  private final int framesPerWrite;
  private final ServerSocketChannel listener;
  private final Selector selector;
  private final List<BlasterRoom> rooms = new ArrayList<>();
  private final byte[] inputBytes = new byte[1 << 18];
  private final ByteBuffer input = ByteBuffer.wrap(inputBytes);

  Blaster(int framesPerWrite) throws IOException {
    this.framesPerWrite = framesPerWrite;
    selector = Selector.open();
    listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0), 512);
    listener.configureBlocking(false);
    listener.register(selector, SelectionKey.OP_ACCEPT);
  }

  String url() throws IOException {
    return "ws://127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort() + "/chat";
  }

  @Override
  public void run() {
    try {
      while (true) {
        selector.select(10);
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
          SelectionKey key = keys.next();
          keys.remove();
          if (key.isAcceptable()) {
            SocketChannel channel = listener.accept();
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, new BlasterMember(channel));
          } else if (key.isReadable() && key.attachment() instanceof BlasterMember member) {
            read(key, member);
          }
        }
        for (BlasterRoom room : rooms) {
          room.write(framesPerWrite);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(SelectionKey key, BlasterMember member) throws IOException {
    input.clear();
    input.put(member.rest());
    int count = member.channel().read(input);
    if (count < 0) {
      key.channel().close();
      member.leave();
      return;
    }
    input.flip();
    if (member.room() == null) {
      upgrade(member);
    }
    if (member.room() != null) {
      member.frames(inputBytes, input);
    }
    member.keep(input);
  }

  private void upgrade(BlasterMember member) throws IOException {
    String text = StandardCharsets.ISO_8859_1.decode(input.duplicate()).toString();
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      return;
    }
    input.position(input.position() + end + 4);
    String path = text.substring(4, text.indexOf(' ', 4));
    if (!path.startsWith("/chat/")) {
      member.answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      member.channel().close();
      return;
    }
    int from = text.indexOf("Sec-WebSocket-Key: ") + 19;
    member.enter(room(path.substring(6)));
    member.answer(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: "
            + AcceptKey.of(text.substring(from, text.indexOf('\r', from)))
            + "\r\n\r\n");
  }

  private BlasterRoom room(String id) {
    for (BlasterRoom room : rooms) {
      if (room.id().equals(id)) {
        return room;
      }
    }
    BlasterRoom room = new BlasterRoom(id);
    rooms.add(room);
    return room;
  }

  /** Serves until standard input ends; the argument is the number of frames in a write. */
  public static void main(String[] arguments) throws IOException {
    Blaster blaster = new Blaster(Integer.parseInt(arguments[0]));
    System.out.println("{\"url\":\"" + blaster.url() + "\"}");
    Thread.ofPlatform().daemon().name("blaster").start(blaster);
    System.in.transferTo(OutputStream.nullOutputStream());
  }
}
