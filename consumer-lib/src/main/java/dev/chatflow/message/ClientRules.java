package dev.chatflow.message;

/**
 * The rules for messages that a server accepts from its clients. It still reads and shows
 * everything that the protocol allows, because other servers may accept more. Immutable.
 */
public final class ClientRules {

  /** The number of code points that a server accepts unless it is configured. */
  public static final int DEFAULT_TEXT = 500;

  /** The greatest number that can be configured. */
  public static final int MAX_TEXT = Rule.MAX_TEXT;

  /** The rules of broker lines: everything that the protocol allows. */
  static final ClientRules LINES = new ClientRules(UserIds.STRING, MAX_TEXT);

  /** The rules of broker lines that are marked as moderated. */
  static final ClientRules MODERATED_LINES = LINES.ofModerator();

  private static final int DEFAULT_FRAME_BYTES = 8_192;
  private static final int BYTES_OF_A_CHARACTER = 4;

  private final UserIds userIds;
  private final int maxText;
  private final Rule text;
  private final Rule textOrNone;
  private final boolean moderates;

  /**
   * Creates rules.
   *
   * @param userIds the user ids that are accepted
   * @param maxText maximum code points of a TEXT
   */
  public ClientRules(UserIds userIds, int maxText) {
    this(userIds, maxText, false);
  }

  private ClientRules(UserIds userIds, int maxText, boolean moderates) {
    this.moderates = moderates;
    this.userIds = userIds;
    this.maxText = maxText;
    this.text = Rule.message(1, maxText);
    this.textOrNone = Rule.message(0, maxText);
  }

  /** Accepts texts of the default length. */
  public ClientRules(UserIds userIds) {
    this(userIds, DEFAULT_TEXT);
  }

  public UserIds userIds() {
    return userIds;
  }

  public int maxText() {
    return maxText;
  }

  /**
   * Returns the maximum bytes of a client's frame, in UTF-8. A connection may hold as many of an
   * unfinished frame, so it grows only with {@link #maxText}.
   */
  public int maxFrameBytes() {
    return DEFAULT_FRAME_BYTES + BYTES_OF_A_CHARACTER * (maxText - DEFAULT_TEXT);
  }

  /** Returns the same rules, but messages of others may be edited and deleted. */
  public ClientRules ofModerator() {
    return new ClientRules(userIds, maxText, true);
  }

  /** Returns whether messages of others may be edited and deleted. */
  boolean moderates() {
    return moderates;
  }

  /** Returns whether they are the rules of broker lines. */
  boolean areOfLines() {
    return this == LINES || this == MODERATED_LINES;
  }

  Rule text() {
    return text;
  }

  Rule textOrNone() {
    return textOrNone;
  }
}
