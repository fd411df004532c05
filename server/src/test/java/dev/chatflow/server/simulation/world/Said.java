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
 * @param userId the user without a device
 * @param idHash what makes it equal to another; 0 for a JOIN or LEAVE, which may lose its data
 * @param mute its content if it mutes the user
 */
public record Said(
    MessageType type,
    String user,
    String userId,
    @Nullable Stamp stamp,
    long idHash,
    @Nullable Mute mute,
    LineVerdict verdict) {

  /**
   * A mute.
   *
   * @param until when it ends, in ms
   * @param isRepetition whether a server repeats it
   */
  public record Mute(String id, long until, boolean isRepetition) {

    private static @Nullable Mute of(Line.Message line) {
      return line.mutes()
          ? new Mute(
              line.messageId(), line.message().content().mutedUntilMillis(), line.synthetic())
          : null;
    }
  }

  public static Said of(Line.Message line, LineVerdict verdict) {
    return new Said(
        line.type(),
        line.who().toString(),
        line.userId(),
        Stamp.of(line),
        line.type().changesMembership() ? 0 : line.idHash(),
        Mute.of(line),
        verdict);
  }

  /** Returns the same line with another verdict. */
  public Said with(LineVerdict other) {
    return new Said(type, user, userId, stamp, idHash, mute, other);
  }

  /**
   * Describes it without the message id, which a server generates at random for messages it makes
   * itself.
   */
  String named() {
    return verdict + " " + type + " of user " + user + " " + stamp;
  }
}
