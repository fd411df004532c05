package dev.chatflow.server.simulation.plan;

/**
 * The random numbers of a seed: each is a hash of the seed, its purpose, and its index.
 *
 * <p>No number depends on earlier ones, so leaving out a step changes nothing elsewhere.
 */
public record Dice(long seed) {

  /** The purpose of a number. */
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
    RECORDER,
    LOAD
  }

  /** Returns 0 to {@code bound - 1}. */
  public int below(int bound, Channel channel, long number) {
    return (int) Long.remainderUnsigned(hash(channel, number), bound);
  }

  long hash(Channel channel, long number) {
    return mix(mix(mix(seed) + channel.name().hashCode()) ^ number);
  }

  /** SplitMix64: inputs that differ in any bit give results that differ everywhere. */
  private static long mix(long value) {
    long mixed = value + 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
