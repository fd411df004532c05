package dev.chatflow.server.simulation.world;

import dev.chatflow.log.Stamp;
import dev.chatflow.log.Window.LineVerdict;
import dev.chatflow.message.Line;
import dev.chatflow.message.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * A line and its verdict.
 *
 * @param user the user, and the device if it has one
 */
public record Said(
    MessageType type, String user, @Nullable Stamp stamp, long idHash, LineVerdict verdict) {

  public static Said of(Line.Message line, LineVerdict verdict) {
    return new Said(line.type(), line.who().toString(), Stamp.of(line), line.idHash(), verdict);
  }

  /**
   * Describes it without the message id, which a server generates at random for messages it makes
   * itself.
   */
  String named() {
    return verdict + " " + type + " of user " + user + " " + stamp;
  }
}
