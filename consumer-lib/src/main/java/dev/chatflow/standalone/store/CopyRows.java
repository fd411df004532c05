package dev.chatflow.standalone.store;

import dev.chatflow.standalone.store.SqlStore.Numbered;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/** Messages in the binary form of PostgreSQL's COPY. One thread, one use. */
final class CopyRows {

  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0
  };

  /** No flags, no extension of the header. */
  private static final int HEADER_REST_BYTES = 8;

  private static final short COLUMNS = 10;
  private static final short END = -1;

  /** PostgreSQL counts days from here. */
  private static final long FIRST_DAY = LocalDate.of(2000, 1, 1).toEpochDay();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
  private final ByteBuffer number = ByteBuffer.allocate(Integer.BYTES + Long.BYTES);

  CopyRows() {
    bytes.writeBytes(SIGNATURE);
    bytes.writeBytes(new byte[HEADER_REST_BYTES]);
  }

  void add(long day, Numbered message) {
    Row row = message.row();
    write(number.clear().putShort(COLUMNS));
    integer((int) (day - FIRST_DAY));
    integer(message.room());
    big(message.position());
    big(row.atMillis());
    text(row.sent());
    integer(message.sender());
    small((short) row.kind().ordinal());
    integer(message.server());
    text(row.messageId());
    text(row.body());
  }

  private void small(short value) {
    write(number.clear().putInt(Short.BYTES).putShort(value));
  }

  private void integer(int value) {
    write(number.clear().putInt(Integer.BYTES).putInt(value));
  }

  private void big(long value) {
    write(number.clear().putInt(Long.BYTES).putLong(value));
  }

  private void text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    write(number.clear().putInt(utf8.length));
    bytes.writeBytes(utf8);
  }

  private void write(ByteBuffer filled) {
    bytes.write(filled.array(), 0, filled.position());
  }

  /** All of it. */
  byte[] end() {
    write(number.clear().putShort(END));
    return bytes.toByteArray();
  }
}
