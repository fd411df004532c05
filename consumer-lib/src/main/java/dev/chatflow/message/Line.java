package dev.chatflow.message;

import dev.chatflow.room.FrameName;
import dev.chatflow.room.Payload;
import dev.chatflow.room.RoomId;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One message as it came from the broker: {@link LineReader} makes it. */
public sealed interface Line {

  /**
   * A message that obeys every rule of the protocol, read where it lies.
   *
   * <p>Safe for any thread as long as nobody else writes to the array it was read from, which it
   * keeps. Who sent it is decoded once, so that all who keep that share it; everything else anew at
   * each call: call what you need, once.
   */
  final class Message implements Line {

    private final LineScan scan;
    private final RoomId room;
    private final MetLately<String> servers;
    private @Nullable String userId;
    private @Nullable String connectionId;

    Message(LineScan scan, RoomId room, MetLately<String> servers) {
      this.scan = scan;
      this.room = room;
      this.servers = servers;
    }

    /** What it does. */
    public MessageType type() {
      return scan.type();
    }

    /** Where it was sent. */
    public RoomId room() {
      return room;
    }

    /** Whose it is. */
    public String userId() {
      String known = userId;
      if (known == null) {
        known = ascii(scan.userId());
        userId = known;
      }
      return known;
    }

    /** Its user's name for people. */
    public String username() {
      return ascii(scan.username());
    }

    /** When its server accepted it, in ms since the epoch. */
    public long serverMillis() {
      return scan.serverMillis();
    }

    /** When its client wrote it, as the client wrote that. */
    public String timestamp() {
      return ascii(scan.timestamp());
    }

    public String messageId() {
      return ascii(scan.messageId());
    }

    /** What was said, with the escapes of JSON that stand in the line. */
    public String escapedText() {
      LineScan.Span text = scan.message();
      return new String(scan.bytes(), text.from(), text.to() - text.from(), StandardCharsets.UTF_8);
    }

    /** The server that accepted it. */
    public String serverId() {
      LineScan.Span server = scan.serverId();
      return servers.of(scan.bytes(), server.from(), server.to());
    }

    /** The connection that sent it, or null when a foreign publisher names none. */
    public @Nullable String connectionId() {
      String known = connectionId;
      if (known == null && scan.hasSession()) {
        known = ascii(scan.connectionId());
        connectionId = known;
      }
      return known;
    }

    /** Whether a server made it, a LEAVE, for a connection that ended. */
    public boolean synthetic() {
      return scan.synthetic();
    }

    /** Whether only its own connection is shown it. */
    public boolean quiet() {
      return scan.quiet();
    }

    /**
     * The cluster time at which its connection's JOIN was taken, in ms; {@link
     * ChatMessage.Origin#NO_STAMP} when it has none.
     */
    public long stamp() {
      return scan.stamp();
    }

    /**
     * 64-bit hash of room, user, message id and text, the same on every server: who sends another
     * text under a known id, or the same as somebody else, says something new.
     */
    public long idHash() {
      return IdHash.of(scan.bytes(), scan.roomAndUser(), scan.messageId(), scan.message());
    }

    /**
     * The frame that members are shown, made in place: the comma before the session becomes the
     * closing brace. From then on the array no longer holds the line.
     */
    public Payload payload() {
      byte[] bytes = scan.bytes();
      bytes[scan.frameEnd()] = '}';
      return new Payload(bytes, scan.from(), scan.frameEnd() + 1 - scan.from(), frameName());
    }

    private long frameName() {
      LineScan.Span user = scan.userId();
      LineScan.Span id = scan.messageId();
      long hash = FrameName.hash(serverMillis(), scan.bytes(), user.from(), user.to());
      return FrameName.hash(hash, scan.bytes(), id.from(), id.to());
    }

    /** All of it, decoded; also after {@link #payload}. */
    public ChatMessage message() {
      ClientMessage content =
          new ClientMessage(
              type(),
              userId(),
              username(),
              JsonString.decoded(scan.bytes(), scan.message().from(), scan.message().to()),
              ascii(scan.timestamp()),
              ascii(scan.messageId()));
      ChatMessage.Origin origin =
          new ChatMessage.Origin(
              serverId(), ascii(scan.connectionId()), ascii(scan.clientIp()), scan.stamp());
      return new ChatMessage(content, room, serverMillis(), origin, scan.synthetic(), scan.quiet());
    }

    private String ascii(LineScan.Span span) {
      return new String(
          scan.bytes(), span.from(), span.to() - span.from(), StandardCharsets.US_ASCII);
    }
  }

  /**
   * What no member can be shown.
   *
   * @param reason why not; at most 255 characters of ASCII
   */
  record Poison(String reason) implements Line {}
}
