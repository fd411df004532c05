package dev.chatflow.shard.people;

import org.jspecify.annotations.Nullable;

/**
 * What an entry says of people in its headers, beside whatever its body is.
 *
 * @param who the number of its lane's request that all others tell their members; 0 for none
 * @param members what its lane's members are, or null
 */
public record Signals(long who, @Nullable Digest members) {

  /** Nothing is said. */
  public static final Signals NONE = new Signals(0, null);
}
