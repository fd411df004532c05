package dev.chatflow.client.result;

import java.util.List;

/** Detects messages in flight that grow without end while latencies still look good. Pure. */
public final class Backlog {
  private static final int LEAST_POINTS = 3;

  /** The messages in flight at one time. */
  public record Point(double seconds, double inFlight) {}

  private Backlog() {}

  /**
   * Returns the growth in the last third of the points, in messages per second; 0 with too few
   * points.
   */
  public static double growthPerSecond(List<Point> points) {
    List<Point> last = points.subList(points.size() * 2 / 3, points.size());
    if (last.size() < LEAST_POINTS) {
      return 0;
    }
    double time = last.stream().mapToDouble(Point::seconds).average().orElse(0);
    double level = last.stream().mapToDouble(Point::inFlight).average().orElse(0);
    double both = 0;
    double squares = 0;
    for (Point point : last) {
      both += (point.seconds - time) * (point.inFlight - level);
      squares += (point.seconds - time) * (point.seconds - time);
    }
    return squares == 0 ? 0 : both / squares;
  }
}
