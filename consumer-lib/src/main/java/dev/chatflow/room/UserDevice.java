package dev.chatflow.room;

import java.util.Comparator;

/**
 * A user on one device: the identity of a membership in a room. A newer connection takes over only
 * from one of the same user and device.
 *
 * @param device the name that the JOIN gave, or empty
 */
public record UserDevice(String userId, String device) implements Comparable<UserDevice> {

  private static final Comparator<UserDevice> ORDER =
      Comparator.comparing(UserDevice::userId).thenComparing(UserDevice::device);

  /** Sorted by user id, then by device, both as text. */
  @Override
  public int compareTo(UserDevice other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return device.isEmpty() ? userId : userId + " on " + device;
  }
}
