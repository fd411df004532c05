package dev.chatflow.chat.link;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The protocol's table of close codes. Pure functions. */
public final class Closes {

  /**
   * This client gave the connection up because the server did not answer; there is no close code.
   */
  public static final int SILENT = 0;

  /** Messages before the last frame may be missing, so the room cannot be resumed. */
  public static final int GAP = 4010;

  /** The token is missing, invalid or not valid for this room. */
  static final int REFUSED = 4001;

  /** The token has expired. */
  static final int EXPIRED = 4002;

  private static final int STOPPING = 1001;
  private static final int FULL = 1013;

  /**
   * A newer connection of the user took over. It may be a late attempt that this client had given
   * up.
   */
  static final int TAKEN_OVER = 4009;

  private static final Map<Integer, String> STOPS =
      Map.of(
          1000,
          "the server ended the connection",
          1002,
          "the server could not read a frame of this client",
          1003,
          "the server accepts only text messages",
          1007,
          "the server received text that was not UTF-8",
          1008,
          "the server rejected this connection",
          1009,
          "a message was too big for the server",
          REFUSED,
          "the server rejected this token",
          4005,
          "a moderator removed the user from this room",
          TAKEN_OVER,
          "the user joined this room from a newer connection");
  private static final Set<Integer> SAYS_WHY =
      Set.of(SILENT, 1008, REFUSED); // codes whose reason is meant for people
  private static final Map<Integer, String> LOSSES =
      Map.of(
          SILENT,
          "the server does not answer",
          STOPPING,
          "the server is stopping",
          1012,
          "the server lost contact with the other servers, or paused",
          FULL,
          "the server has too many connections",
          EXPIRED,
          "the token has expired",
          4003,
          "the server received no JOIN in time",
          4008,
          "this connection read too slowly",
          GAP,
          "the server may have missed messages of this room");
  private static final Pattern RECONNECT_AFTER = Pattern.compile("reconnect after ([0-9]{1,5}) ms");
  private static final long FIRST = 500;
  private static final long MOST = 15_000;
  private static final long FULL_FIRST = 2_000;
  private static final Set<Integer> PATIENT = Set.of(FULL, REFUSED, EXPIRED);
  private static final long PATIENT_MOST = 60_000;

  /**
   * The reaction to a close.
   *
   * @param again whether to reconnect, after {@code delay} ms
   * @param why the explanation for people
   */
  record Verdict(boolean again, long delay, String why) {}

  private Closes() {}

  /**
   * Returns whether to try another server after a connection that ended, and that was in the room
   * or not.
   */
  static boolean isForAnother(int code, boolean wasIn) {
    return code == STOPPING || code == FULL || (code < 4000 && !wasIn);
  }

  /**
   * Returns the reaction to the end of a connection.
   *
   * @param failures failed attempts since the last success
   * @param chance random number in [0, 1), which spreads reconnecting clients
   */
  static Verdict after(int code, String reason, int failures, double chance) {
    String why = STOPS.getOrDefault(code, LOSSES.getOrDefault(code, "the connection was lost"));
    String full = SAYS_WHY.contains(code) && !reason.isEmpty() ? why + ": " + reason : why;
    if (STOPS.containsKey(code)) {
      return new Verdict(false, 0, full);
    }
    Matcher requested = RECONNECT_AFTER.matcher(reason);
    long delay =
        requested.matches() ? Long.parseLong(requested.group(1)) : backOff(code, failures, chance);
    return new Verdict(true, delay, full);
  }

  /** Doubles the wait with every failure up to a bound. Half of it is random. */
  private static long backOff(int code, int failures, double chance) {
    long first = code == FULL ? FULL_FIRST : FIRST;
    long most = PATIENT.contains(code) ? PATIENT_MOST : MOST;
    return (long) (Math.min(most, first << Math.min(failures, 16)) * (0.5 + chance / 2));
  }
}
