package dev.chatflow.client.fake;

import java.io.DataInput;
import java.io.IOException;

/** Reads the frames of a client as RFC 6455 has them: the one place for all tests. Stateless. */
public final class ClientFrames {
  private ClientFrames() {}

  /** The opcode of the frame that begins here. */
  public static int opcode(DataInput in) throws IOException {
    return in.readUnsignedByte() & 0xf;
  }

  /** What follows the opcode: the payload without its mask. Payloads are below 64 KiB. */
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
