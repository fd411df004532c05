package dev.chatflow.server.sink.tomcat;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The client's end of the self-test: one WebSocket connection of this process to itself, read byte
 * by byte.
 *
 * <p>Used by one thread. Every read ends after the timeout.
 */
final class SelfTestPeer implements AutoCloseable {

  static final int TEXT = 0x81;
  static final int CLOSE = 0x88;
  static final int PING = 0x89;
  static final int PONG = 0x8a;

  private static final byte[] MASK = {0x5a, (byte) 0xc3, 0x0f, (byte) 0x96};

  /** Small, so that the server's writes soon have to wait. */
  private static final int RECEIVE_BUFFER = 16 << 10;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  /** A received frame; {@code head} is its first byte. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Received(int head, byte[] payload) {}

  /**
   * Connects.
   *
   * @param timeout of the connect and of each read
   */
  SelfTestPeer(Connectors.Connector to, Duration timeout)
      throws IOException, GeneralSecurityException {
    Socket plain = new Socket();
    try {
      plain.setReceiveBufferSize(RECEIVE_BUFFER);
      plain.setSoTimeout((int) timeout.toMillis());
      plain.setTcpNoDelay(true);
      plain.connect(new InetSocketAddress(to.address(), to.port()), (int) timeout.toMillis());
      socket = to.tls() ? encrypted(plain, to) : plain;
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      out = socket.getOutputStream();
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  private static Socket encrypted(Socket plain, Connectors.Connector to)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustsItself()}, null);
    return context
        .getSocketFactory()
        .createSocket(plain, to.address().getHostAddress(), to.port(), true);
  }

  /**
   * Requests the upgrade.
   *
   * @return the response's status, 101 if it was granted
   */
  int upgrade(String host, String path, String origin) throws IOException {
    String request =
        """
        GET %s HTTP/1.1\r
        Host: %s\r
        Origin: %s\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Sec-WebSocket-Version: 13\r
        \r
        """
            .formatted(path, host, origin);
    out.write(request.getBytes(StandardCharsets.US_ASCII));
    String status = line();
    while (!line().isEmpty()) {
      // skip headers
    }
    String[] words = status.split(" ", 3);
    if (words.length < 2 || !words[1].matches("\\d{3}")) {
      throw new IOException("answered the handshake with: " + status);
    }
    return Integer.parseInt(words[1]);
  }

  private String line() throws IOException {
    StringBuilder text = new StringBuilder();
    int c = in.readUnsignedByte();
    while (c != '\n' && text.length() < 1_000) {
      if (c != '\r') {
        text.append((char) c);
      }
      c = in.readUnsignedByte();
    }
    return text.toString();
  }

  /** Sends a masked control frame. */
  void send(int head, byte[] payload) throws IOException {
    byte[] frame = new byte[2 + MASK.length + payload.length];
    frame[0] = (byte) head;
    frame[1] = (byte) (0x80 | payload.length);
    System.arraycopy(MASK, 0, frame, 2, MASK.length);
    for (int i = 0; i < payload.length; i++) {
      frame[2 + MASK.length + i] = (byte) (payload[i] ^ MASK[i % MASK.length]);
    }
    out.write(frame);
  }

  Received receive() throws IOException {
    int head = in.readUnsignedByte();
    int code = in.readUnsignedByte();
    long length =
        switch (code) {
          case 126 -> in.readUnsignedShort();
          case 127 -> in.readLong();
          default -> code;
        };
    if (code > 127 || length > 1 << 20) {
      throw new IOException("unexpected frame that begins with %02x %02x".formatted(head, code));
    }
    byte[] payload = new byte[(int) length];
    in.readFully(payload);
    return new Received(head, payload);
  }

  /** Returns whether the server closes the connection; waits for it. */
  boolean isAtEnd() throws IOException {
    try {
      return in.read() < 0;
    } catch (EOFException _) {
      return true;
    }
  }

  /** Resets the connection, so that a waiting write of the server fails at once. */
  @Override
  public void close() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Trusts any certificate, because the other end is this process. */
  private static final class TrustsItself extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
