package dev.chatflow.lab.load;

import dev.chatflow.client.transport.Connection;
import dev.chatflow.client.transport.ConnectionEvents;
import dev.chatflow.client.transport.FrameBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * One connection of a crowd: joins, then keeps a window of own messages under way and counts all
 * frames. Belongs to its thread.
 *
 * <p>A message is {@code {"u":"0000002a","s":"00000007",...}}: the number of its connection and of
 * itself in hex, found at a fixed place when it comes back.
 */
final class CrowdMember implements ConnectionEvents {
  private static final int USER_AT = 6;
  private static final int SEQUENCE_AT = 21;
  private static final int SHORTEST = 32;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final HexFormat HEX = HexFormat.of();

  private final CrowdThread thread;
  private final int number;
  private final int room;
  private final int window;
  private final byte[] template;
  private final long key;
  private final long[] sentNanos;

  private final Connection connection;
  private boolean open;
  private boolean waiting;
  private boolean dirty;
  private int due;
  private long sent;
  private long echoed;
  private long received;
  private String failure = "";

  CrowdMember(CrowdThread thread, CrowdPlan plan, int number, URI base, InetSocketAddress address) {
    this.thread = thread;
    this.number = number;
    this.room = plan.roomOf(number);
    this.window = plan.windowOf(number);
    this.template = template(number, plan.messageBytes());
    this.key = (long) LONGS.get(template, USER_AT);
    this.sentNanos = new long[Math.max(1, window)];
    connection = thread.transport().connect(URI.create(base + "/" + room), address, "", this);
  }

  private static byte[] template(int number, int bytes) {
    String head = "{\"u\":\"" + HEX.toHexDigits(number) + "\",\"s\":\"00000000\",\"t\":\"";
    String text = head + "x".repeat(Math.max(0, bytes - head.length() - 2)) + "\"}";
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  int room() {
    return room;
  }

  long sent() {
    return sent;
  }

  long echoed() {
    return echoed;
  }

  long received() {
    return received;
  }

  String failure() {
    return failure;
  }

  boolean isOpen() {
    return open;
  }

  /** Fills the window. */
  void start() {
    due = window;
    flush();
  }

  /** Sends what is due, as one write. */
  void flush() {
    dirty = false;
    if (due == 0 || thread.isStopping()) {
      due = 0;
      return;
    }
    if (!connection.isWritable()) {
      waiting = true;
      connection.awaitWritable();
      return;
    }
    FrameBatch batch = thread.transport().batch();
    long now = System.nanoTime();
    while (due > 0 && batch.hasSpaceFor(template.length)) {
      sentNanos[(int) (sent % window)] = now;
      putSequence((int) sent++);
      int at = batch.begin(FrameBatch.OP_TEXT, template.length);
      System.arraycopy(template, 0, batch.bytes(), at, template.length);
      batch.end();
      due--;
    }
    connection.write(batch);
    if (due > 0) {
      dirty = true;
      thread.later(this);
    }
  }

  private void putSequence(int sequence) {
    for (int i = 0; i < 8; i++) {
      template[SEQUENCE_AT + i] = (byte) Character.forDigit((sequence >>> (28 - 4 * i)) & 0xf, 16);
    }
  }

  @Override
  public void opened() {
    open = true;
    thread.opened();
    String join =
        "{\"messageType\":\"JOIN\",\"userId\":\"%d\",\"username\":\"user%d\",\"timestamp\":\"2026-11-20T18:46:00.123Z\"}"
            .formatted(number + 1, number + 1);
    byte[] bytes = join.getBytes(StandardCharsets.US_ASCII);
    FrameBatch batch = thread.transport().batch();
    int at = batch.begin(FrameBatch.OP_TEXT, bytes.length);
    System.arraycopy(bytes, 0, batch.bytes(), at, bytes.length);
    batch.end();
    connection.write(batch);
  }

  @Override
  public void refused(String reason) {
    failure = "refused: " + reason;
    thread.opened();
    thread.failed();
  }

  @Override
  public void text(byte[] bytes, int from, int to) {
    received++;
    if (to - from >= SHORTEST && (long) LONGS.get(bytes, from + USER_AT) == key) {
      echo(bytes, from);
    }
  }

  private void echo(byte[] bytes, int from) {
    int sequence = 0;
    for (int i = from + SEQUENCE_AT; i < from + SEQUENCE_AT + 8; i++) {
      sequence = (sequence << 4) | HexFormat.fromHexDigit(bytes[i]);
    }
    if (sequence != (int) echoed) {
      failure = "own message " + sequence + " instead of " + echoed;
      thread.failed();
    }
    echoed++;
    thread.recordRoundTrip(thread.transport().readNanos() - sentNanos[sequence % window]);
    due++;
    if (!dirty && !waiting) {
      dirty = true;
      thread.later(this);
    }
  }

  @Override
  public void writable() {
    waiting = false;
    flush();
  }

  @Override
  public void closed(int code, String reason) {
    open = false;
    failure = "closed " + code + " " + reason;
    thread.failed();
  }

  void abort() {
    connection.abort();
  }
}
