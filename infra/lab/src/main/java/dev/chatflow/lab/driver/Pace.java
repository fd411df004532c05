package dev.chatflow.lab.driver;

/** When members may speak. */
sealed interface Pace {

  /**
   * At times that do not wait for anything, all members in turn.
   *
   * @param perSecond messages of all members together, above 0
   */
  record Rate(double perSecond) implements Pace {}

  /**
   * As fast as can be, while few own messages are under way.
   *
   * @param messages of a member, at least 1
   */
  record Window(int messages) implements Pace {}

  /** Reads {@code rate PER_SECOND} or {@code window MESSAGES}. */
  static Pace parse(String kind, String figure) {
    return switch (kind) {
      case "rate" -> new Rate(Double.parseDouble(figure));
      case "window" -> new Window(Integer.parseInt(figure));
      default ->
          throw new IllegalArgumentException("no pace " + kind + ": there are rate and window");
    };
  }
}
