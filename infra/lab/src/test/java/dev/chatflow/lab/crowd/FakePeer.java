package dev.chatflow.lab.crowd;

import dev.chatflow.client.fake.ClientFrames;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/** A server with one room that broadcasts messages as changed by a fault. */
final class FakePeer implements AutoCloseable {
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private final ServerSocket listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
  private final List<Socket> members = new ArrayList<>();
  private final Function<byte[], List<byte[]>> fault;

  /** Applies the fault to messages, one at a time, but not to greetings. */
  FakePeer(Function<byte[], List<byte[]>> fault) throws IOException {
    this.fault = fault;
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "ws://127.0.0.1:" + listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException _) {
      // the listener was closed
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      upgrade(socket, in);
      synchronized (this) {
        members.add(socket);
      }
      while (true) {
        int _ = ClientFrames.opcode(in);
        show(ClientFrames.payload(in));
      }
    } catch (IOException _) {
      // the crowd has left
    }
  }

  private static void upgrade(Socket socket, InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
    String key = head.toString().replaceAll("(?s).*Sec-WebSocket-Key: (\\S+).*", "$1");
    String answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: %s\r\n\r\n".formatted(accepted(key));
    socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
  }

  /** The answer to a client's {@code Sec-WebSocket-Key} (RFC 6455, 4.2.2). */
  private static String accepted(String key) {
    try {
      byte[] text = (key + GUID).getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private synchronized void show(byte[] message) throws IOException {
    boolean isHello = Saying.number(message, 0) == Saying.HELLO;
    for (byte[] shown : isHello ? List.of(message) : fault.apply(message)) {
      byte[] frame = new byte[shown.length + 2];
      frame[0] = (byte) 0x81;
      frame[1] = (byte) shown.length;
      System.arraycopy(shown, 0, frame, 2, shown.length);
      for (Socket member : members) {
        member.getOutputStream().write(frame);
      }
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
