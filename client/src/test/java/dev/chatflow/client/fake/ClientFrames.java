package dev.chatflow.client.fake;

import java.io.DataInput;
import java.io.IOException;

/** Reads client frames (RFC 6455) for all tests. Stateless. */
public final class ClientFrames {
  private ClientFrames() {}

  /** Reads the first byte of a frame and returns its opcode. */
  public static int opcode(DataInput in) throws IOException {
    return in.readUnsignedByte() & 0xf;
  }

  /** Reads the rest of a frame and returns its unmasked payload, which must be below 64 KiB. */
  public static byte[] payload(DataInput in) throws IOException {
    int length = in.readUnsignedByte() & 0x7f;
    byte[] payload = new byte[length == 126 ? in.readUnsignedShort() : length];
    byte[] mask = new byte[4];
    in.readFully(mask);
    in.readFully(payload);
    for (int i = 0; i < payload.length; i++) {
      payload[i] ^= mask[i % 4];
    }
    return payload;
  }
}
