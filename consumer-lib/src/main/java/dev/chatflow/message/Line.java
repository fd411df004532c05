package dev.chatflow.message;

import dev.chatflow.room.FrameName;
import dev.chatflow.room.Payload;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.UserDevice;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A message as received from the broker, created by {@link LineReader}. */
public sealed interface Line {

  /**
   * A message that obeys all rules of the protocol, read in the array that holds it.
   *
   * <p>Thread-safe as long as no other code writes to the array, which it keeps. The sender is
   * decoded once and shared; everything else is decoded at each call, so call each method once.
   */
  final class Message implements Line {

    private final LineScan scan;
    private final RoomId room;
    private final NameCache<String> servers;
    private @Nullable UserDevice who;
    private @Nullable String connectionId;

    Message(LineScan scan, RoomId room, NameCache<String> servers) {
      this.scan = scan;
      this.room = room;
      this.servers = servers;
    }

    public MessageType type() {
      return scan.type();
    }

    /** Returns the room it was sent to. */
    public RoomId room() {
      return room;
    }

    /** Returns whose membership it belongs to. */
    public UserDevice who() {
      UserDevice known = who;
      if (known == null) {
        known = new UserDevice(ascii(scan.userId()), ascii(scan.device()));
        who = known;
      }
      return known;
    }

    public String userId() {
      return who().userId();
    }

    /** Returns the display name of its user. */
    public String username() {
      LineScan.Span name = scan.username();
      return JsonString.decoded(scan.bytes(), name.from(), name.to());
    }

    /** Returns when its server accepted it, in ms since the epoch. */
    public long serverMillis() {
      return scan.serverMillis();
    }

    /** Returns the client's time as written by the client. */
    public String timestamp() {
      return ascii(scan.timestamp());
    }

    public String messageId() {
      return ascii(scan.messageId());
    }

    /** Returns the text, with the JSON escapes of the line. */
    public String escapedText() {
      LineScan.Span text = scan.message();
      return new String(scan.bytes(), text.from(), text.to() - text.from(), StandardCharsets.UTF_8);
    }

    /** Returns the JSON object of the application, or null. */
    public @Nullable String data() {
      return scan.data();
    }

    /** Returns the optional fields, as written in its frame. */
    public String extras() {
      LineScan.Span extras = scan.extras();
      return new String(
          scan.bytes(), extras.from(), extras.to() - extras.from(), StandardCharsets.UTF_8);
    }

    /** Returns the server that accepted it. */
    public String serverId() {
      LineScan.Span server = scan.serverId();
      return servers.of(scan.bytes(), server.from(), server.to());
    }

    /** Returns the connection that sent it, or null if a foreign publisher gives none. */
    public @Nullable String connectionId() {
      String known = connectionId;
      if (known == null && scan.hasSession()) {
        known = ascii(scan.connectionId());
        connectionId = known;
      }
      return known;
    }

    /** Returns whether it is a LEAVE that a server made for a connection that ended. */
    public boolean synthetic() {
      return scan.synthetic();
    }

    /** Returns whether it is a LEAVE by which a moderator removes a member. */
    public boolean removed() {
      return scan.removed();
    }

    /** Returns whether it is a SIGNAL that mutes its user. */
    public boolean mutes() {
      return scan.mutes();
    }

    /** Removes its text and data, in place, because its user is muted. */
    public void silence() {
      scan.cutContent();
    }

    /** Returns whether it is shown only to its own connection. */
    public boolean quiet() {
      return scan.quiet();
    }

    /**
     * Returns the cluster time at which its connection's JOIN was accepted, in ms; {@link
     * ChatMessage.Origin#NO_STAMP} if it has none.
     */
    public long stamp() {
      return scan.stamp();
    }

    /**
     * Returns a 64-bit hash of room, user, message id and content, the same on every server: a
     * different content with a known id, or from another user, is a new message.
     */
    public long idHash() {
      return IdHash.of(
          scan.bytes(), scan.roomAndUser(), scan.messageId(), scan.message(), scan.extras());
    }

    /**
     * Returns the frame for members, made in place: the comma before the session becomes the
     * closing brace. The array no longer holds the line afterwards.
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

    /** Returns all of it, decoded; also after {@link #payload}. */
    public ChatMessage message() {
      ClientMessage content =
          new ClientMessage(
              type(),
              userId(),
              username(),
              JsonString.decoded(scan.bytes(), scan.message().from(), scan.message().to()),
              ascii(scan.timestamp()),
              ascii(scan.messageId()),
              scan.decodedExtras());
      ChatMessage.Origin origin =
          new ChatMessage.Origin(
              serverId(),
              ascii(scan.connectionId()),
              ascii(scan.clientIp()),
              scan.stamp(),
              who().device());
      return new ChatMessage(
          content, room, serverMillis(), origin, scan.synthetic(), scan.removed(), scan.quiet());
    }

    private String ascii(LineScan.Span span) {
      return new String(
          scan.bytes(), span.from(), span.to() - span.from(), StandardCharsets.US_ASCII);
    }
  }

  /**
   * A line that cannot be shown.
   *
   * @param reason why not; at most 255 ASCII characters
   */
  record Poison(String reason) implements Line {}
}
