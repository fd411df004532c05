package dev.chatflow.server;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A WebSocket client at the level of frames, for actions that a normal client does not allow. One
 * thread.
 */
public final class RawPeer implements Closeable {

  private static final int TEXT = 0x81;
  private static final int CLOSE = 0x88;
  private static final int PING = 0x89;
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket = new Socket();
  private final InputStream in;
  private final OutputStream out;

  /**
   * Connects and upgrades.
   *
   * @param receiveBuffer approximate bytes that its socket holds unread, or 0 for the default
   */
  public RawPeer(int port, String room, int receiveBuffer) throws IOException {
    if (receiveBuffer > 0) {
      socket.setReceiveBufferSize(receiveBuffer);
    }
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    out.write(
        """
        GET /chat/%s HTTP/1.1\r
        Host: localhost\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        \r
        """
            .formatted(room)
            .getBytes(StandardCharsets.US_ASCII));
    int ends = 0;
    while (ends < 4) { // the last of \r\n\r\n
      int next = in.read();
      if (next < 0) {
        throw new IOException("no upgrade");
      }
      ends = next == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : 0;
    }
  }

  public void send(String type, int user, String text) throws IOException {
    frame(
        TEXT,
        "{\"messageType\":\"%s\",\"userId\":\"%d\",\"username\":\"user%d\",\"message\":\"%s\",\"timestamp\":\"2026-11-20T18:46:00Z\"}"
            .formatted(type, user, user, text)
            .getBytes(StandardCharsets.UTF_8));
  }

  public void ping() throws IOException {
    frame(PING, new byte[0]);
  }

  /** Writes the same frame this often; {@code first} is its first byte. */
  public void repeat(int times, int first, String payload) throws IOException {
    for (int i = 0; i < times; i++) {
      frame(first, payload.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Reads frames until one contains this text.
   *
   * @return false if the server closes before
   */
  public boolean awaitText(String wanted) throws IOException {
    DataInputStream frames = new DataInputStream(in);
    try {
      while (frames.readUnsignedByte() != CLOSE) {
        int length = frames.readUnsignedByte();
        byte[] payload = new byte[length == 126 ? frames.readUnsignedShort() : length];
        frames.readFully(payload);
        if (new String(payload, StandardCharsets.UTF_8).contains(wanted)) {
          return true;
        }
      }
      return false;
    } catch (EOFException _) {
      return false;
    }
  }

  /** Sends a close frame without reading an answer. */
  public void sendClose(int code) throws IOException {
    frame(CLOSE, ByteBuffer.allocate(2).putShort((short) code).array());
  }

  private void frame(int first, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(payload.length + 8);
    frame.put((byte) first);
    if (payload.length < 126) {
      frame.put((byte) (0x80 | payload.length));
    } else {
      frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
    }
    frame.putInt(0).put(payload);
    out.write(frame.array(), 0, frame.position());
  }

  /** Reads at most this many bytes; -1 at the end. */
  public int read(int bytes) throws IOException {
    return in.read(new byte[bytes]);
  }

  /** Resets the connection. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
