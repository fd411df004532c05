package dev.chatflow.client.compat;

import dev.chatflow.client.record.Trace;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code deliveries.csv.gz}: every message written and every copy received, in the columns
 * of scale-chat's events, {@code messageId,senderId,clientId,Sent|Received,unixMicros}.
 *
 * <p>Each load thread fills its own blocks; one thread writes them. The queue between them has
 * {@value #BLOCKS} blocks; if it is full, load threads wait, because no row may be lost.
 */
public final class ScaleChatDeliveries implements Trace, AutoCloseable {
  static final int BLOCKS = 32;
  private static final int ROWS = 1 << 14;
  private static final int FIELDS = 3;
  private static final int SENT = -1;
  private static final long[] END = {}; // an empty block ends the file

  private final ThreadLocal<Block> blocks = ThreadLocal.withInitial(this::newBlock);
  private final BlockingQueue<long[]> full = new ArrayBlockingQueue<>(BLOCKS);
  private final java.util.List<Block> all = new java.util.concurrent.CopyOnWriteArrayList<>();
  private final BufferedWriter out;
  private final Thread writer;
  private final String runId;
  private final long originMicros;
  private volatile @Nullable IOException failure;

  /** Rows of one load thread. */
  private static final class Block {
    private long[] rows = new long[ROWS * FIELDS];
    private int size;
  }

  /** Opens the file; the times in it count from now, the run's origin. */
  public ScaleChatDeliveries(Path file, String runId) throws IOException {
    this.runId = runId;
    originMicros = System.currentTimeMillis() * 1_000;
    out =
        new BufferedWriter(
            new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(file), 1 << 16),
                StandardCharsets.US_ASCII),
            1 << 16);
    writer = Thread.ofPlatform().name("deliveries").daemon().start(this::writeAll);
  }

  @Override
  public void sent(int sender, int seq, long nanos) {
    add(sender, seq, SENT, nanos);
  }

  @Override
  public void received(int sender, int seq, int receiver, long nanos) {
    add(sender, seq, receiver, nanos);
  }

  @Override
  public boolean keepsMessages() {
    return false;
  }

  private Block newBlock() {
    Block block = new Block();
    all.add(block);
    return block;
  }

  private void add(int sender, int seq, int receiver, long nanos) {
    Block block = blocks.get();
    int at = block.size;
    block.rows[at] = ((long) sender << 32) | (seq & 0xffffffffL);
    block.rows[at + 1] = receiver;
    block.rows[at + 2] = nanos;
    block.size = at + FIELDS;
    if (block.size == block.rows.length) {
      hand(block.rows);
      block.rows = new long[ROWS * FIELDS];
      block.size = 0;
    }
  }

  private void hand(long[] rows) {
    try {
      full.put(rows);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while deliveries were written", e);
    }
  }

  private void writeAll() {
    try (out) {
      long[] rows = full.take();
      while (rows.length > 0) {
        if (failure == null) {
          write(rows);
        }
        rows = full.take();
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes rows. A write error is reported at the end; the load continues. */
  private void write(long[] rows) {
    try {
      StringBuilder line = new StringBuilder(64);
      for (int at = 0; at < rows.length; at += FIELDS) {
        int sender = (int) (rows[at] >>> 32);
        long receiver = rows[at + 1];
        line.setLength(0);
        line.append(runId).append('-').append(sender).append('-').append((int) rows[at]);
        line.append(',').append(sender).append(',');
        line.append(receiver == SENT ? sender : receiver);
        line.append(receiver == SENT ? ",Sent," : ",Received,");
        line.append(originMicros + rows[at + 2] / 1000).append('\n');
        out.append(line);
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  /**
   * Writes the remaining rows, after the load threads have ended.
   *
   * @throws IOException if any row of the run could not be written
   */
  @Override
  public void close() throws IOException {
    for (Block block : all) {
      if (block.size > 0) {
        hand(Arrays.copyOf(block.rows, block.size));
      }
    }
    hand(END);
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while deliveries were written", e);
    }
    IOException failed = failure;
    if (failed != null) {
      throw failed;
    }
  }
}
