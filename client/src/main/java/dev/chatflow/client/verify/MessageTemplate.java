package dev.chatflow.client.verify;

import java.nio.charset.StandardCharsets;

/**
 * The JSON of one user's messages of one type, with gaps for timestamp, id, head and text.
 *
 * <p>Immutable; {@link #write} uses the caller's bytes and {@link Head}. The message id is {@code
 * run-sender-seq}, so that an error frame names the rejected message. Signals have numbers of their
 * own, so their ids are {@code run.sender-seq}.
 */
public final class MessageTemplate {
  /** The type of a message, with its name in the protocol. */
  public enum Kind {
    TEXT,
    JOIN,
    LEAVE,
    SIGNAL
  }

  /**
   * The sender of messages.
   *
   * @param number global number of its connection
   */
  public record Author(int number, String userId, String username) {}

  private static final String ID_HOLE = "rrrr-ssss-qqqqqq";
  private static final int SENDER_AT = 5;
  private static final int SEQ_AT = 10;

  /** Follows the run in the id of a signal. */
  static final char SIGNAL_MARK = '.';

  private final String runId;
  private final Texts texts;
  private final int sender;
  private final byte[] prefix;
  private final int timestampAt;
  private final int idAt;
  private final int seqAt;
  private final byte[] end;

  /**
   * Creates a template.
   *
   * @param fields additional JSON fields, each after a comma
   */
  public MessageTemplate(Kind kind, String runId, Texts texts, Author author, String fields) {
    this.runId = runId;
    this.texts = texts;
    sender = author.number();
    String start =
        "{\"messageType\":\"%s\",\"userId\":\"%s\",\"username\":\"%s\",\"timestamp\":\""
            .formatted(kind, author.userId(), author.username());
    String middle = "\",\"messageId\":\"";
    String json = start + " ".repeat(Timestamp.LENGTH) + middle + ID_HOLE + "\",\"message\":\"";
    prefix = json.getBytes(StandardCharsets.US_ASCII);
    timestampAt = start.length();
    idAt = timestampAt + Timestamp.LENGTH + middle.length();
    seqAt = idAt + SEQ_AT;
    char mark = kind == Kind.SIGNAL ? SIGNAL_MARK : '-';
    byte[] run = (runId + mark).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(run, 0, prefix, idAt, run.length);
    Base36.write(prefix, idAt + SENDER_AT, 4, sender);
    end = ("\"" + fields + "}").getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the length that {@link #write} writes for this sequence number. */
  public int length(int seq) {
    return prefix.length + Head.LENGTH + texts.of(sender, seq).length + end.length;
  }

  /** Returns the message id for this sequence number. */
  public String id(int seq) {
    return id(runId, sender, seq);
  }

  /** Returns the id of any message of a run. */
  public static String id(String runId, int sender, int seq) {
    byte[] id = ID_HOLE.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(runId.getBytes(StandardCharsets.US_ASCII), 0, id, 0, SENDER_AT - 1);
    Base36.write(id, SENDER_AT, 4, sender);
    Base36.write(id, SEQ_AT, 6, seq);
    return new String(id, StandardCharsets.US_ASCII);
  }

  public void write(byte[] out, int at, int seq, long dueMicros, Stamps stamps) {
    byte[] text = texts.of(sender, seq);
    System.arraycopy(prefix, 0, out, at, prefix.length);
    System.arraycopy(stamps.timestamp(), 0, out, at + timestampAt, Timestamp.LENGTH);
    Base36.write(out, at + seqAt, 6, seq);
    int head = at + prefix.length;
    System.arraycopy(text, 0, out, head + Head.LENGTH, text.length);
    stamps.head().write(out, head, sender, seq, dueMicros, text.length);
    System.arraycopy(end, 0, out, head + Head.LENGTH + text.length, end.length);
  }

  /** Inserts fields before the closing brace of a written message. */
  public void extend(byte[] out, int at, int seq, byte[] fields) {
    int brace = at + length(seq) - 1;
    System.arraycopy(fields, 0, out, brace, fields.length);
    out[brace + fields.length] = '}';
  }
}
