package dev.chatflow.server.simulation.plan;

/**
 * What a seed decides: each number is a hash of the seed, what it is for, and which one it is.
 *
 * <p>Nothing is drawn from a stream, so that a step that is left out changes nothing elsewhere.
 */
public record Dice(long seed) {

  /** What a number is for. */
  public enum Channel {
    PLAN,
    FAULTS,
    CLOCK,
    FATE,
    LANDING,
    LATE,
    READING,
    LAST,
    SPACE,
    SOCKET,
    CLIENT,
    POSTER,
    TAIL,
    RECORDER
  }

  /** 0 to {@code bound - 1}. */
  public int below(int bound, Channel channel, long number) {
    return (int) Long.remainderUnsigned(hash(channel, number), bound);
  }

  long hash(Channel channel, long number) {
    return mix(mix(mix(seed) + channel.name().hashCode()) ^ number);
  }

  /** SplitMix64: bits that differ anywhere differ everywhere. */
  private static long mix(long value) {
    long mixed = value + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
