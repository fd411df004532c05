package dev.chatflow.broker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a broker's nodes are tried: in turn, forever. A node that was left because it
 * does not do its work is skipped while the others are tried a few times: a partitioned node would
 * answer sooner than they do.
 *
 * <p>Thread-safe.
 *
 * @param <N> type of a node
 */
final class NodeOrder<N> {

  /** How often each of the other nodes is tried first. */
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

  /** Returns the next node to try. */
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

  /** Marks one of several nodes as left although it answers. */
  synchronized void leave(N node) {
    left = node;
    passing = ROUNDS * (nodes.size() - 1);
  }
}
