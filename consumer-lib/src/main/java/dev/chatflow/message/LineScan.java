package dev.chatflow.message;

import dev.chatflow.room.RoomId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A forward scan over a broker line in canonical form, with the positions of its fields.
 *
 * <p>One thread, used once; after {@link #isCanonical} returned true, any thread may read. No text
 * is decoded: message and timestamp are only checked, by the same rules as a client's frame.
 *
 * <p>The canonical form is written by {@link LineWriter#line}, with any escapes that JSON allows.
 */
final class LineScan {

  /** The byte range of a string's content; empty if the field is absent. */
  record Span(int from, int to) {
    static final Span NONE = new Span(0, 0);

    boolean isEmpty() {
      return from == to;
    }

    /** Returns where it is now that another span was cut and everything before that moved up. */
    Span after(Span cut) {
      int moved = cut.to - cut.from;
      return from < cut.from ? new Span(from + moved, to + moved) : this;
    }
  }

  private static final byte[] TEXT = JsonBytes.ascii("TEXT");
  private static final byte[] JOIN = JsonBytes.ascii("JOIN");
  private static final byte[] LEAVE = JsonBytes.ascii("LEAVE");
  private static final byte[] SIGNAL = JsonBytes.ascii("SIGNAL");

  private final byte[] bytes;
  private int from;
  private final int to;
  private int at;
  private Span found = Span.NONE;

  private MessageType type = MessageType.TEXT;
  private Span room = Span.NONE;
  private Span userId = Span.NONE;
  private Span username = Span.NONE;
  private Span message = Span.NONE;
  private Span timestamp = Span.NONE;
  private Span messageId = Span.NONE;
  private int points;
  private Span extras = Span.NONE;
  private TextKind does = TextKind.OTHER;
  private Span kind = Span.NONE;
  private Span ref = Span.NONE;
  private Span refUserId = Span.NONE;
  private Span data = Span.NONE;
  private Span device = Span.NONE;
  private long serverMillis;
  private Span serverId = Span.NONE;
  private boolean synthetic;
  private boolean removed;
  private boolean quiet;
  private int frameEnd;
  private Span connectionId = Span.NONE;
  private Span clientIp = Span.NONE;
  private long stamp = ChatMessage.Origin.NO_STAMP;

  LineScan(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.at = from;
  }

  /** Scans the line. If it returns false, no result may be used. */
  boolean isCanonical() {
    return sender() && content() && server() && readExtras() && readDevice() && end();
  }

  private boolean sender() {
    if (!skip(LineWriter.TYPE) || !readType()) {
      return false;
    }
    if (!skip(LineWriter.ROOM_ID) || !readWord(Alphabet.NAME, 1, RoomId.MAX_LENGTH)) {
      return false;
    }
    room = found;
    if (!skip(LineWriter.USER_ID) || !readWord(Alphabet.USER, 1, Rule.MAX_USER_ID)) {
      return false;
    }
    userId = found;
    if (!skip(LineWriter.USERNAME) || !readName()) {
      return false;
    }
    username = found;
    return true;
  }

  private boolean content() {
    if (!skip(LineWriter.MESSAGE) || !readMessage()) {
      return false;
    }
    message = found;
    if (!skip(LineWriter.TIMESTAMP) || readTime() == Rfc3339.NONE) {
      return false;
    }
    timestamp = found;
    if (!skip(LineWriter.MESSAGE_ID) || !readWord(Alphabet.ID, 1, Rule.MAX_MESSAGE_ID)) {
      return false;
    }
    messageId = found;
    return true;
  }

  private boolean server() {
    if (!skip(LineWriter.SERVER_TIMESTAMP)) {
      return false;
    }
    serverMillis = readTime();
    if (!Rfc3339.isServerTime(serverMillis) || !isServerForm(found)) {
      return false;
    }
    if (!skip(LineWriter.SERVER_ID) || !readWord(Alphabet.PLAIN, 1, Rule.MAX_PLAIN)) {
      return false;
    }
    serverId = found;
    return skip(LineWriter.STATUS_OK);
  }

  /** Reads the optional fields; the text of a TEXT or SIGNAL may then be empty. */
  private boolean readExtras() {
    int start = at;
    if (!readKind() || !readRef() || !readData()) {
      return false;
    }
    extras = at == start ? Span.NONE : new Span(start, at);
    boolean moderated = skip(LineWriter.MODERATED);
    does = TextKind.of(text(kind));
    return switch (type) {
          case JOIN -> kind.isEmpty() && ref.isEmpty() && points <= Rule.MAX_REMARK;
          case LEAVE -> extras.isEmpty() && points <= Rule.MAX_REMARK;
          case TEXT -> points > 0 || does.mayBeEmpty(!data.isEmpty());
          case SIGNAL -> !kind.isEmpty() && points <= Rule.MAX_REMARK;
        }
        && (does != TextKind.MUTE
            || (type == MessageType.SIGNAL && MuteData.untilMillis(text(data)) != Rfc3339.NONE))
        && (ref.isEmpty() ? !does.namesMessage() : !kind.isEmpty())
        && moderated == (does.changesMessage() && !equal(refUserId, userId));
  }

  private boolean readKind() {
    boolean read = readOptional(LineWriter.KIND, Rule.MAX_KIND);
    kind = found;
    return read;
  }

  /** Reads an optional field with a word; false if it is wrong. */
  private boolean readOptional(byte[] key, int max) {
    found = Span.NONE;
    return !skip(key) || (readWord(Alphabet.ID, 1, max) && skip(LineWriter.QUOTE));
  }

  private boolean readRef() {
    if (!skip(LineWriter.REF)) {
      return true;
    }
    boolean read = readWord(Alphabet.ID, 1, Rule.MAX_MESSAGE_ID);
    ref = found;
    if (!read || !skip(LineWriter.REF_USER_ID) || !readWord(Alphabet.USER, 1, Rule.MAX_USER_ID)) {
      return false;
    }
    refUserId = found;
    return skip(LineWriter.QUOTE);
  }

  private boolean readData() {
    if (!skip(LineWriter.DATA)) {
      return true;
    }
    String rest = new String(bytes, at, to - at, StandardCharsets.ISO_8859_1);
    data = new Span(at, at + JsonMembers.end(rest, 0, ','));
    at = data.to();
    byte[] object = Arrays.copyOfRange(bytes, data.from(), data.to());
    String text = new String(object, StandardCharsets.UTF_8);
    boolean isUtf8 = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), object);
    return isUtf8 && Extras.isData(text);
  }

  private boolean readDevice() {
    boolean read = readOptional(LineWriter.DEVICE, Rule.MAX_DEVICE);
    device = found;
    return read;
  }

  private boolean equal(Span one, Span other) {
    return Arrays.equals(bytes, one.from(), one.to(), bytes, other.from(), other.to());
  }

  private @Nullable String text(Span span) {
    return span.isEmpty()
        ? null
        : new String(bytes, span.from(), span.to() - span.from(), StandardCharsets.UTF_8);
  }

  private boolean end() {
    synthetic = skip(LineWriter.SYNTHETIC);
    if (synthetic && type != MessageType.LEAVE && !mutes()) {
      return false;
    }
    removed = skip(LineWriter.REMOVED);
    if (removed && !(synthetic && type == MessageType.LEAVE)) {
      return false;
    }
    quiet = skip(LineWriter.QUIET);
    if (quiet && !type.changesMembership()) {
      return false;
    }
    frameEnd = at;
    if (!skip(LineWriter.SESSION)) {
      return skip(LineWriter.END) && at == to;
    }
    if (!readWord(Alphabet.PLAIN, 1, Rule.MAX_PLAIN)) {
      return false;
    }
    connectionId = found;
    if (skip(LineWriter.CLIENT_IP)) {
      if (!readWord(Alphabet.PLAIN, 1, Rule.MAX_PLAIN)) {
        return false;
      }
      clientIp = found;
    }
    return skip(LineWriter.STAMP)
        ? readStamp() && skip(LineWriter.END) && at == to
        : skip(LineWriter.STRING_END) && at == to;
  }

  private boolean skip(byte[] constant) {
    int end = at + constant.length;
    if (end > to || !Arrays.equals(bytes, at, end, constant, 0, constant.length)) {
      return false;
    }
    at = end;
    return true;
  }

  private boolean readType() {
    if (skip(TEXT)) {
      type = MessageType.TEXT;
    } else if (skip(JOIN)) {
      type = MessageType.JOIN;
    } else if (skip(LEAVE)) {
      type = MessageType.LEAVE;
    } else if (skip(SIGNAL)) {
      type = MessageType.SIGNAL;
    } else {
      return false;
    }
    return true;
  }

  private boolean readStamp() {
    int start = at;
    stamp = 0;
    for (; at < to && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
      if (at - start == ChatMessage.Origin.MAX_STAMP_DIGITS) {
        return false;
      }
      stamp = stamp * 10 + bytes[at] - '0';
    }
    return at > start && bytes[start] != '0';
  }

  private boolean readWord(Alphabet alphabet, int min, int max) {
    int start = at;
    while (at < to && alphabet.has(bytes[at])) {
      at++;
    }
    found = new Span(start, at);
    return at - start >= min && at - start <= max;
  }

  /** Reads a display name; only an unusual one is decoded. */
  private boolean readName() {
    int start = at;
    if (readWord(Alphabet.NAME, 1, Rule.MAX_USERNAME) && at < to && bytes[at] == '"') {
      return true;
    }
    int end = new JsonString(bytes, to).end(start);
    if (end == JsonString.BROKEN) {
      return false;
    }
    found = new Span(start, end);
    at = end;
    return Rule.USERNAME.allows().test(JsonString.decoded(bytes, start, end));
  }

  private boolean readMessage() {
    JsonString string = new JsonString(bytes, to);
    int end = string.end(at);
    if (end == JsonString.BROKEN) {
      return false;
    }
    found = new Span(at, end);
    at = end;
    points = string.points();
    return points <= Rule.MAX_TEXT;
  }

  /** Returns its ms since the epoch, or {@link Rfc3339#NONE}. */
  private long readTime() {
    int start = at;
    while (at < to && bytes[at] != '"') {
      at++;
    }
    found = new Span(start, at);
    return Rfc3339.millis(bytes, start, at);
  }

  /** Returns whether the time has the form that servers write. */
  private boolean isServerForm(Span time) {
    int end = time.to();
    return end - time.from() == Rfc3339.SERVER_LENGTH
        && bytes[end - 1] == 'Z'
        && bytes[end - 5] == '.';
  }

  /** Returns whether it mutes a user. */
  boolean mutes() {
    return does == TextKind.MUTE;
  }

  /** Removes the text and the optional fields in place: everything before them moves up. */
  void cutContent() {
    cut(extras);
    extras = Span.NONE;
    data = Span.NONE;
    cut(message);
    message = new Span(message.to(), message.to());
  }

  private void cut(Span cut) {
    if (cut.isEmpty()) {
      return;
    }
    int moved = cut.to() - cut.from();
    System.arraycopy(bytes, from, bytes, from + moved, cut.from() - from);
    from += moved;
    room = room.after(cut);
    userId = userId.after(cut);
    username = username.after(cut);
    message = message.after(cut);
    timestamp = timestamp.after(cut);
    messageId = messageId.after(cut);
    serverId = serverId.after(cut);
  }

  byte[] bytes() {
    return bytes;
  }

  int from() {
    return from;
  }

  /**
   * Returns the index for the broadcast's closing brace: the comma before the session, if there is
   * one.
   */
  int frameEnd() {
    return frameEnd;
  }

  /** Returns whether the line names its connection; a foreign publisher's may not. */
  boolean hasSession() {
    return !connectionId.isEmpty();
  }

  MessageType type() {
    return type;
  }

  Span userId() {
    return userId;
  }

  /** Returns the range from the room's first byte to the user's last. */
  Span roomAndUser() {
    return new Span(room.from(), userId.to());
  }

  long serverMillis() {
    return serverMillis;
  }

  boolean synthetic() {
    return synthetic;
  }

  boolean removed() {
    return removed;
  }

  boolean quiet() {
    return quiet;
  }

  Span room() {
    return room;
  }

  Span username() {
    return username;
  }

  Span message() {
    return message;
  }

  Span timestamp() {
    return timestamp;
  }

  Span messageId() {
    return messageId;
  }

  /** Returns the range of the optional fields. */
  Span extras() {
    return extras;
  }

  @Nullable String data() {
    return text(data);
  }

  /** Returns the fields of {@link #extras()}, decoded. */
  Extras decodedExtras() {
    String messageId = text(ref);
    String author = text(refUserId);
    return new Extras(
        text(kind),
        messageId == null || author == null ? null : new Extras.Ref(author, messageId),
        data());
  }

  /** Returns the device that the connection's JOIN named. */
  Span device() {
    return device;
  }

  Span serverId() {
    return serverId;
  }

  Span connectionId() {
    return connectionId;
  }

  Span clientIp() {
    return clientIp;
  }

  long stamp() {
    return stamp;
  }
}
