package dev.chatflow.lab.storm;

/**
 * A kind of fault with a start and an end.
 *
 * @param name description in the schedule
 * @param shortest minimum length in ms
 * @param longest maximum length in ms
 * @param begin starts it at a target
 * @param end ends it; returns when the target works again
 */
public record Kind(String name, long shortest, long longest, Deed begin, Deed end) {

  /** An operation on a target, numbered from 1. */
  public interface Deed {
    void to(int target) throws Exception;
  }

  /** Creates a fault that lasts as long as its operation. */
  public static Kind of(String name, Deed deed) {
    return new Kind(name, 0, 0, deed, _ -> {});
  }
}
