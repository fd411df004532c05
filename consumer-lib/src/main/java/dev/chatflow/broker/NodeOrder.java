package dev.chatflow.broker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a broker's nodes are tried: one after another, for ever. One that was left
 * because it does not do its work is passed over while the others are tried a few times: it would
 * answer sooner than they do, as one that is cut off from them.
 *
 * <p>Thread-safe.
 *
 * @param <N> what stands for a node
 */
final class NodeOrder<N> {

  /** How often each of the others is tried first. */
  static final int ROUNDS = 3;

  private final List<N> nodes;

  // Guarded by this.
  private int next;
  private @Nullable N left;
  private int passing;

  NodeOrder(List<N> nodes) {
    this.nodes = List.copyOf(nodes);
  }

  int size() {
    return nodes.size();
  }

  /** Whose turn it is. */
  synchronized N next() {
    N node = step();
    if (passing > 0) {
      passing--;
      return node.equals(left) ? step() : node;
    }
    return node;
  }

  private N step() {
    N node = nodes.get(next);
    next = (next + 1) % nodes.size();
    return node;
  }

  /** A node was left though it answers; of several. */
  synchronized void leave(N node) {
    left = node;
    passing = ROUNDS * (nodes.size() - 1);
  }
}
