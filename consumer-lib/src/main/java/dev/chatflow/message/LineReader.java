package dev.chatflow.message;

import dev.chatflow.message.JsonValue.Kind;
import dev.chatflow.room.RoomId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * Reads broker lines. Canonical lines, which ChatFlow servers write, are scanned once over their
 * bytes; any other field order, whitespace or foreign field is parsed and written again.
 *
 * <p>Thread-safe. Never throws because of a line's content: a line that breaks a rule of the
 * protocol is {@link Line.Poison}.
 */
public final class LineReader {

  private static final JsonValue STATUS_OK = new JsonValue(Kind.NUMBER, "200");
  private static final JsonValue TRUE = new JsonValue(Kind.BOOLEAN, "true");
  private static final int MAX_REASON = 255; // it is sent in an AMQP header
  private static final int ROOMS = 1_024; // 20 to about 1,000 are busy at once
  private static final int SERVERS = 64;

  private final NameCache<RoomId> rooms = new NameCache<>(ROOMS, RoomId::new);
  private final NameCache<String> servers = new NameCache<>(SERVERS, name -> name);

  /**
   * Reads the line from {@code from} to before {@code to}. The array becomes part of the result, so
   * no other code may write to it.
   */
  public Line read(byte[] body, int from, int to) {
    Objects.checkFromToIndex(from, to, body.length);
    LineScan scan = new LineScan(body, from, to);
    return scan.isCanonical() ? message(scan) : readForeign(body, from, to);
  }

  private Line.Message message(LineScan scan) {
    RoomId room = rooms.of(scan.bytes(), scan.room().from(), scan.room().to());
    return new Line.Message(scan, room, servers);
  }

  private Line readForeign(byte[] body, int from, int to) {
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(body, from, to - from))
              .toString();
      return rewritten(StrictObject.fieldsOf(text));
    } catch (CharacterCodingException e) {
      return new Line.Poison("not valid UTF-8");
    } catch (MalformedTextException e) {
      return new Line.Poison(e.reason());
    }
  }

  private Line rewritten(Map<Field, JsonValue> fields) {
    FieldChecks checks = new FieldChecks(fields);
    String messageId = checks.required(Field.MESSAGE_ID, Rule.MESSAGE_ID);
    boolean moderated = isSet(Field.MODERATED, checks);
    ClientMessage content =
        checks.clientMessage(
            messageId, moderated ? ClientRules.MODERATED_LINES : ClientRules.LINES);
    Sender sender = sender(checks);
    boolean synthetic = isSet(Field.SYNTHETIC, checks);
    boolean removed = isSet(Field.REMOVED, checks);
    boolean quiet = isSet(Field.QUIET, checks);
    if (content == null || !checks.errors().isEmpty()) {
      return poison(checks.errors());
    }
    if (synthetic && !content.mayBeSynthetic()) {
      return new Line.Poison("only a LEAVE or a mute may be synthetic");
    }
    if (removed && !(synthetic && content.type() == MessageType.LEAVE)) {
      return new Line.Poison("a LEAVE that removes a member is synthetic");
    }
    if (quiet && !content.type().changesMembership()) {
      return new Line.Poison("a " + content.type() + " is never quiet");
    }
    byte[] line =
        LineWriter.line(
            new ChatMessage(
                content,
                new RoomId(sender.room),
                sender.millis,
                sender.origin(),
                synthetic,
                removed,
                quiet));
    LineScan scan = new LineScan(line, 0, line.length);
    return scan.isCanonical() ? message(scan) : new Line.Poison("not in canonical form");
  }

  /** The fields that a server adds to a message, as written in the line. */
  private record Sender(
      String room,
      long millis,
      String serverId,
      String connectionId,
      String ip,
      long stamp,
      String device) {

    ChatMessage.Origin origin() {
      return connectionId.isEmpty()
          ? new ChatMessage.Origin(serverId, "", "")
          : new ChatMessage.Origin(serverId, connectionId, ip, stamp, device);
    }
  }

  private static Sender sender(FieldChecks checks) {
    checks.literal(Field.STATUS, STATUS_OK);
    return new Sender(
        checks.required(Field.ROOM_ID, Rule.ROOM_ID),
        Rfc3339.millis(checks.required(Field.SERVER_TIMESTAMP, Rule.SERVER_TIMESTAMP)),
        checks.required(Field.SERVER_ID, Rule.PLAIN),
        Objects.requireNonNullElse(checks.optional(Field.SESSION, Rule.PLAIN), ""),
        Objects.requireNonNullElse(checks.optional(Field.CLIENT_IP, Rule.PLAIN), ""),
        checks.wholeNumber(Field.STAMP, ChatMessage.Origin.MAX_STAMP_DIGITS),
        Objects.requireNonNullElse(checks.optional(Field.DEVICE, Rule.DEVICE), ""));
  }

  private static boolean isSet(Field field, FieldChecks checks) {
    if (!checks.has(field)) {
      return false;
    }
    checks.literal(field, TRUE);
    return true;
  }

  private static Line.Poison poison(SortedMap<String, String> errors) {
    String reason =
        errors.entrySet().stream()
            .map(error -> error.getKey() + " " + error.getValue())
            .collect(Collectors.joining("; "));
    return new Line.Poison(reason.substring(0, Math.min(reason.length(), MAX_REASON)));
  }
}
