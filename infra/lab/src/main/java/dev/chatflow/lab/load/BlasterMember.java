package dev.chatflow.lab.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A connection of the blaster. One thread. */
final class BlasterMember {
  private static final byte[] NONE = {};
  private static final byte[] CLOSE = {(byte) 0x88, 2, 3, (byte) 0xe8};

  private final SocketChannel channel;
  private byte[] rest = NONE;
  private @Nullable BlasterRoom room;
  private int nextFrame;
  private int at;
  private int lastFrame = Integer.MAX_VALUE;

  BlasterMember(SocketChannel channel) {
    this.channel = channel;
  }

  SocketChannel channel() {
    return channel;
  }

  byte[] rest() {
    return rest;
  }

  @Nullable BlasterRoom room() {
    return room;
  }

  void enter(BlasterRoom entered) {
    room = entered;
  }

  void keep(ByteBuffer input) {
    rest = new byte[input.remaining()];
    input.get(rest);
  }

  void start(int frame, int position) {
    nextFrame = frame;
    at = position;
    lastFrame = Integer.MAX_VALUE;
  }

  void answer(String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  void leave() {
    if (room != null) {
      room.left(this);
    }
  }

  void frames(byte[] bytes, ByteBuffer input) throws IOException {
    BlasterRoom where = room;
    while (where != null && input.remaining() >= 6) {
      int start = input.position();
      int opcode = input.get() & 0xf;
      int length = input.get() & 0x7f;
      if (length == 126) {
        length = input.getShort() & 0xffff;
      }
      if (input.remaining() < length + 4) {
        input.position(start);
        return;
      }
      int mask = input.getInt();
      int from = input.position();
      for (int i = 0; i < length; i++) {
        bytes[from + i] ^= (byte) (mask >>> (24 - i % 4 * 8));
      }
      input.position(from + length);
      if (opcode == 0x8) {
        channel.write(ByteBuffer.wrap(CLOSE));
        return;
      }
      broadcast(where, bytes, from, from + length);
    }
  }

  private void broadcast(BlasterRoom where, byte[] bytes, int from, int to) {
    char type = (char) bytes[from + 16];
    if (type == 'J') {
      where.joined(this);
    }
    where.append(bytes, from, to);
    if (type == 'L') {
      lastFrame = where.frames();
    }
  }

  void write(ByteBuffer log, int[] ends, int frames, int framesPerWrite) throws IOException {
    while (nextFrame < frames && nextFrame < lastFrame) {
      int end = Math.min(Math.min(frames, lastFrame), nextFrame + framesPerWrite);
      int to = ends[end - 1];
      int written = channel.write(log.slice(at, to - at));
      at += written;
      while (nextFrame < end && ends[nextFrame] <= at) {
        nextFrame++;
      }
      if (at < to) {
        return;
      }
    }
    if (nextFrame >= lastFrame) {
      leave();
    }
  }
}
