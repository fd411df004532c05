package dev.chatflow.record;

import dev.chatflow.record.SqlStore.Numbered;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/** Encodes messages in the binary format of PostgreSQL's COPY. One thread, used once. */
final class CopyRows {

  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0
  };

  /** No flags, no extension of the header. */
  private static final int HEADER_REST_BYTES = 8;

  private static final short COLUMNS = 11;
  private static final short END = -1;

  /** The epoch of PostgreSQL's dates. */
  private static final long FIRST_DAY = LocalDate.of(2000, 1, 1).toEpochDay();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);

  private final DataOutputStream out = new DataOutputStream(bytes);

  CopyRows() throws IOException {
    out.write(SIGNATURE);
    out.write(new byte[HEADER_REST_BYTES]);
  }

  void add(long day, Numbered message) throws IOException {
    Row row = message.row();
    out.writeShort(COLUMNS);
    integer((int) (day - FIRST_DAY));
    integer(message.room());
    big(message.position());
    big(row.atMillis());
    text(row.sent());
    integer(message.sender());
    small(row.kind().code);
    integer(message.server());
    text(row.messageId());
    text(row.body());
    text(row.extras());
  }

  private void small(int value) throws IOException {
    out.writeInt(Short.BYTES);
    out.writeShort(value);
  }

  private void integer(int value) throws IOException {
    out.writeInt(Integer.BYTES);
    out.writeInt(value);
  }

  private void big(long value) throws IOException {
    out.writeInt(Long.BYTES);
    out.writeLong(value);
  }

  private void text(String value) throws IOException {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  /** Returns all encoded bytes. */
  byte[] end() throws IOException {
    out.writeShort(END);
    return bytes.toByteArray();
  }
}
