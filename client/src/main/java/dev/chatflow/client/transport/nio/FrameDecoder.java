package dev.chatflow.client.transport.nio;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Splits a server's byte stream into frames (RFC 6455) and joins fragments.
 *
 * <p>Does not copy unfragmented messages: the caller keeps the rest that {@link #decode} returns.
 * Belongs to one thread.
 */
final class FrameDecoder {
  static final int MAX_MESSAGE_BYTES = 16 << 20;
  private static final int OP_CONTINUATION = 0x0;
  private static final int OP_TEXT = 0x1;
  private static final int OP_BINARY = 0x2;
  private static final int OP_CLOSE = 0x8;
  private static final int OP_PING = 0x9;
  private static final int OP_PONG = 0xa;
  private static final byte[] NONE = {};

  private byte[] fragments = NONE;
  private int fragmentsLength;
  private boolean inFragments;
  private boolean stopped;

  /** Receives the messages of a stream. */
  interface Listener {
    void text(byte[] bytes, int from, int to);

    /**
     * Receives a binary message in one frame; returns false if it is not allowed, which breaks the
     * stream.
     */
    boolean binary(byte[] bytes, int from, int to);

    void ping(byte[] bytes, int from, int to);

    void closeFrame(int code, String reason);

    /** Reports a protocol error of the server, after which decoding stops. */
    void broken(int closeCode, String reason);
  }

  /**
   * Decodes the complete frames of {@code bytes[from, to)} and returns the offset of the first
   * incomplete one.
   */
  int decode(byte[] bytes, int from, int to, Listener listener) {
    int at = from;
    while (!stopped && to - at >= 2) {
      int second = bytes[at + 1] & 0xff;
      int payload = at + 2;
      long length = second & 0x7f;
      if (length == 126) {
        payload += 2;
        if (payload > to) {
          return at;
        }
        length = (long) (bytes[at + 2] & 0xff) << 8 | (bytes[at + 3] & 0xff);
      } else if (length == 127) {
        payload += 8;
        if (payload > to) {
          return at;
        }
        length = longAt(bytes, at + 2);
      }
      if (second >= 0x80 || length < 0 || length > MAX_MESSAGE_BYTES) {
        fail(listener, second >= 0x80 ? 1002 : 1009, "masked frame or frame too long");
        return at;
      }
      int end = payload + (int) length;
      if (end > to) {
        return at;
      }
      int first = bytes[at] & 0xff;
      if (first == 0x81 && !inFragments) {
        listener.text(bytes, payload, end);
      } else {
        rare(first, bytes, payload, end, listener);
      }
      at = end;
    }
    return at;
  }

  /** Returns whether a close frame or an error ended the stream. */
  boolean isStopped() {
    return stopped;
  }

  private void rare(int first, byte[] bytes, int from, int to, Listener listener) {
    int opcode = first & 0xf;
    boolean fin = (first & 0x80) != 0;
    if ((first & 0x70) != 0) {
      fail(listener, 1002, "reserved bit set");
    } else if (opcode >= OP_CLOSE) {
      control(opcode, fin, bytes, from, to, listener);
    } else if (opcode == (inFragments ? OP_CONTINUATION : OP_TEXT)) {
      fragment(fin, bytes, from, to, listener);
    } else if (opcode != OP_BINARY) {
      fail(listener, 1002, "unexpected opcode " + opcode);
    } else if (inFragments || !fin || !listener.binary(bytes, from, to)) {
      fail(listener, 1003, "unexpected binary message");
    }
  }

  private void control(int opcode, boolean fin, byte[] bytes, int from, int to, Listener listener) {
    int length = to - from;
    if (!fin || length > 125) {
      fail(listener, 1002, "control frame fragmented or too long");
    } else if (opcode == OP_PING) {
      listener.ping(bytes, from, to);
    } else if (opcode == OP_CLOSE) {
      stopped = true;
      if (length == 1) {
        listener.broken(1002, "close frame of one byte");
      } else {
        int code = length == 0 ? 1005 : (bytes[from] & 0xff) << 8 | (bytes[from + 1] & 0xff);
        String reason =
            length <= 2 ? "" : new String(bytes, from + 2, length - 2, StandardCharsets.UTF_8);
        listener.closeFrame(code, reason);
      }
    } else if (opcode != OP_PONG) {
      fail(listener, 1002, "unknown opcode " + opcode);
    }
  }

  private void fragment(boolean fin, byte[] bytes, int from, int to, Listener listener) {
    int length = to - from;
    if (fragmentsLength + length > MAX_MESSAGE_BYTES) {
      fail(listener, 1009, "message too long");
      return;
    }
    if (fragments.length < fragmentsLength + length) {
      fragments = Arrays.copyOf(fragments, Math.max(1024, 2 * (fragmentsLength + length)));
    }
    System.arraycopy(bytes, from, fragments, fragmentsLength, length);
    fragmentsLength += length;
    inFragments = !fin;
    if (fin) {
      int whole = fragmentsLength;
      byte[] message = fragments;
      fragments = NONE;
      fragmentsLength = 0;
      listener.text(message, 0, whole);
    }
  }

  private void fail(Listener listener, int code, String reason) {
    stopped = true;
    listener.broken(code, reason);
  }

  private static long longAt(byte[] bytes, int at) {
    long value = 0;
    for (int i = at; i < at + 8; i++) {
      value = value << 8 | (bytes[i] & 0xff);
    }
    return value;
  }
}
