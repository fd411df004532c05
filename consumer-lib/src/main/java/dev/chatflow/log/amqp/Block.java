package dev.chatflow.log.amqp;

import dev.chatflow.broker.Lane;
import dev.chatflow.log.Arrival;
import dev.chatflow.log.Digest;
import dev.chatflow.log.Entry;
import dev.chatflow.log.PresenceHeaders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A block: copies of the {@value #ENTRIES} entries of a log before a multiple of {@value #ENTRIES},
 * published soon after them as one entry: a broker delivers it with much less CPU than the entries.
 *
 * <p>Stateless. Its content is compressed, and has at most {@value #MAX_BYTES} bytes before; larger
 * entries get no block, because there are few of them.
 */
final class Block {

  static final int ENTRIES = 256;
  static final int MAX_BYTES = 256 << 10;

  private static final int VERSION = 1;
  private static final int PIECE_BYTES = 8 << 10;

  private Block() {}

  /** Returns the number of the block that contains an offset. */
  static long number(long offset) {
    return offset / ENTRIES;
  }

  /** Returns the first offset after the entries of a block. */
  static long end(long number) {
    return (number + 1) * ENTRIES;
  }

  /** Collects the entries of one block. One thread. */
  static final class Writer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream data = new DataOutputStream(bytes);

    Writer(long number) {
      write(() -> {
        data.writeByte(VERSION);
        data.writeLong(number);
      });
    }

    /** Adds an entry; false if the block is full without it. */
    boolean add(Arrival arrival) {
      if (bytes.size() + arrival.body().length > MAX_BYTES) {
        return false;
      }
      write(() -> {
        data.writeBoolean(true);
        data.writeLong(arrival.offset());
        data.writeLong(arrival.builtMillis());
        data.writeUTF(arrival.content().name());
        data.writeInt(arrival.body().length);
        writeEntry(arrival.entry());
        writePresence(arrival.presenceHeaders());
        if (arrival.content() != Arrival.Content.BLOCK) {
          data.write(arrival.body());
        }
      });
      return true;
    }

    private void writeEntry(@Nullable Entry entry) throws IOException {
      data.writeUTF(entry == null ? "" : entry.lane().toString());
      if (entry != null) {
        data.writeLong(entry.number());
        data.writeLong(entry.read());
      }
    }

    private void writePresence(PresenceHeaders headers) throws IOException {
      boolean some = !headers.equals(PresenceHeaders.NONE);
      data.writeBoolean(some);
      if (some) {
        data.writeLong(headers.request());
        data.writeUTF(headers.members() == null ? "" : headers.members().toString());
        data.writeByte(headers.lostLanes().size());
        for (Lane lane : headers.lostLanes()) {
          data.writeUTF(lane.toString());
        }
      }
    }

    /** Ends the block and returns its content. */
    byte[] content() {
      write(() -> data.writeBoolean(false));
      return bytes.toByteArray();
    }

    private interface Step {
      void run() throws IOException;
    }

    private static void write(Step step) {
      try {
        step.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e); // memory does not fail
      }
    }
  }

  /** Compresses the content of a block. */
  static byte[] compress(byte[] content) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      deflater.setInput(content);
      deflater.finish();
      ByteArrayOutputStream compressed = new ByteArrayOutputStream(content.length / 4);
      byte[] piece = new byte[PIECE_BYTES];
      while (!deflater.finished()) {
        compressed.write(piece, 0, deflater.deflate(piece));
      }
      return compressed.toByteArray();
    } finally {
      deflater.end();
    }
  }

  /**
   * Reads a compressed block.
   *
   * @return its entries with tag 0; null if it is malformed, or not the block with this number
   */
  static @Nullable List<Arrival> read(byte[] block, long number, long nowNanos) {
    try (DataInputStream data =
        new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(block)))) {
      if (data.readByte() != VERSION || data.readLong() != number) {
        return null;
      }
      List<Arrival> entries = new ArrayList<>(ENTRIES);
      while (data.readBoolean() && entries.size() <= ENTRIES) {
        entries.add(arrival(data, nowNanos));
      }
      return isWhole(entries, number) ? entries : null;
    } catch (IOException | IllegalArgumentException _) {
      return null;
    }
  }

  /** Returns whether no entry is missing. The broker takes single offsets for itself. */
  private static boolean isWhole(List<Arrival> entries, long number) {
    long last = number * ENTRIES - 1;
    for (Arrival each : entries) {
      if (each.offset() <= last || each.offset() > last + 2) {
        return false;
      }
      last = each.offset();
    }
    return last < end(number) && last >= end(number) - 2;
  }

  private static Arrival arrival(DataInputStream data, long nowNanos) throws IOException {
    long offset = data.readLong();
    long built = data.readLong();
    Arrival.Content content = Arrival.Content.valueOf(data.readUTF());
    byte[] body = new byte[checked(data.readInt())];
    Entry entry = entry(data, body.length > 0);
    PresenceHeaders presence = presence(data);
    if (content != Arrival.Content.BLOCK) {
      data.readFully(body);
    }
    return new Arrival(0, offset, entry, built, presence, content, body, nowNanos);
  }

  private static int checked(int length) {
    if (length < 0 || length > MAX_BYTES) {
      throw new IllegalArgumentException("a body of " + length + " bytes");
    }
    return length;
  }

  private static @Nullable Entry entry(DataInputStream data, boolean hasLines) throws IOException {
    String name = data.readUTF();
    return name.isEmpty()
        ? null
        : new Entry(lane(name), data.readLong(), data.readLong(), hasLines);
  }

  private static PresenceHeaders presence(DataInputStream data) throws IOException {
    if (!data.readBoolean()) {
      return PresenceHeaders.NONE;
    }
    long request = data.readLong();
    String members = data.readUTF();
    List<Lane> lost = new ArrayList<>();
    for (int left = data.readByte(); left > 0; left--) {
      lost.add(lane(data.readUTF()));
    }
    return new PresenceHeaders(request, members.isEmpty() ? null : Digest.parse(members), lost);
  }

  private static Lane lane(String name) {
    Lane lane = Lane.parse(name);
    if (lane == null) {
      throw new IllegalArgumentException("not a lane: " + name);
    }
    return lane;
  }
}
