package dev.chatflow.lab.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A room of the blaster: the frames since the room began, and its members' cursors. One thread. */
final class BlasterRoom {
  private static final int LAG_BYTES = 64 << 20;

  private final String id;
  private final List<BlasterMember> members = new ArrayList<>();
  private ByteBuffer log = ByteBuffer.allocateDirect(LAG_BYTES);
  private int[] ends = new int[1 << 16];
  private int frames;

  BlasterRoom(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }

  void append(byte[] bytes, int from, int to) {
    byte[] tail =
        (",\"roomId\":\""
                + id
                + "\",\"serverTimestamp\":\"2026-11-20T18:46:00.125Z\",\"serverId\":\"server-2\""
                + ",\"status\":200}")
            .getBytes(StandardCharsets.US_ASCII);
    int length = to - from - 1 + tail.length;
    if (log.remaining() < length + 4) {
      ByteBuffer larger = ByteBuffer.allocateDirect(log.capacity() * 2);
      log = larger.put(log.flip());
    }
    if (length < 126) {
      log.put((byte) 0x81).put((byte) length);
    } else {
      log.put((byte) 0x81).put((byte) 126).putShort((short) length);
    }
    log.put(bytes, from, to - from - 1).put(tail);
    if (frames == ends.length) {
      ends = java.util.Arrays.copyOf(ends, frames * 2);
    }
    ends[frames++] = log.position();
  }

  void joined(BlasterMember member) {
    member.start(frames, frames == 0 ? 0 : ends[frames - 1]);
    members.add(member);
  }

  void left(BlasterMember member) {
    members.remove(member);
  }

  int frames() {
    return frames;
  }

  void write(int framesPerWrite) throws IOException {
    for (int i = members.size() - 1; i >= 0; i--) {
      members.get(i).write(log, ends, frames, framesPerWrite);
    }
  }
}
