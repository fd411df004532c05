package dev.chatflow.lab.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Connections with an incomplete request, each of which costs a server its buffers. */
public final class HalfHeads implements AutoCloseable {

  /** Maximum connections, below the limit of a process. */
  private static final int MOST = 12_000;

  private static final byte[] HEAD =
      ("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "x".repeat(4_000))
          .getBytes(StandardCharsets.US_ASCII);

  private final InetSocketAddress server;
  private final List<SocketChannel> open = new ArrayList<>();

  public HalfHeads(int port) {
    server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Opens more connections while the server lives; rejected ones do not count. */
  public void openWhile(BooleanSupplier alive) throws IOException {
    while (alive.getAsBoolean() && open.size() < MOST) {
      SocketChannel socket = SocketChannel.open();
      open.add(socket);
      socket.setOption(StandardSocketOptions.SO_SNDBUF, HEAD.length);
      try {
        socket.socket().connect(server, 5_000);
        int _ = socket.write(ByteBuffer.wrap(HEAD));
      } catch (IOException _) {
        // It is ending, or its queue is full.
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel socket : open) {
      socket.close();
    }
  }
}
