package dev.chatflow.lab.storm;

/**
 * A fault that begins and ends.
 *
 * @param name what happens, as the schedule tells it
 * @param shortest how long it lasts at least, in ms
 * @param longest how long it lasts at most, in ms
 * @param begin makes it happen to a target
 * @param end ends it; returns when the target does its work again
 */
public record Kind(String name, long shortest, long longest, Deed begin, Deed end) {

  /** What is done to a target, numbered from 1. */
  public interface Deed {
    void to(int target) throws Exception;
  }

  /** One that lasts as long as it takes. */
  public static Kind of(String name, Deed deed) {
    return new Kind(name, 0, 0, deed, _ -> {});
  }
}
