package dev.chatflow.client.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a {@link RoomSequence} whose order is known, from one on that nobody else had seen.
 *
 * <p>Belongs to the load thread of the room.
 */
final class SequencePart {

  /** A message, and the one behind it. */
  static final class Node {
    final long message;
    final SequencePart part;
    @Nullable Node next;

    Node(long message, SequencePart part) {
      this.message = message;
      this.part = part;
    }
  }

  final long writtenTick;
  final long seenTick;
  @Nullable Node anchor;
  @Nullable Node first;
  @Nullable SequencePart within;

  /** What stood before {@link #first}, where that is kept; null as long as nothing did. */
  LongStream.@Nullable Builder forgotten;

  /**
   * An empty part.
   *
   * @param writtenTick when its first message was written, at the earliest
   * @param seenTick when it was seen
   * @param anchor what its member saw before; null when it is a JOIN
   */
  SequencePart(long writtenTick, long seenTick, @Nullable Node anchor) {
    this.writtenTick = writtenTick;
    this.seenTick = seenTick;
    this.anchor = anchor;
  }

  /** The part that has taken this one in. */
  SequencePart whole() {
    SequencePart whole = this;
    while (whole.within != null) {
      whole = whole.within;
    }
    return whole;
  }

  /** Its first message is not looked for any more; returns the next one. */
  @Nullable Node forgetFirst(Node gone, boolean kept) {
    first = gone.next;
    if (kept) {
      forgotten = forgotten == null ? LongStream.builder() : forgotten;
      forgotten.add(gone.message);
    }
    return first;
  }

  /** All that was kept and all that is known, in order; to be asked once. */
  LongStream messages() {
    LongStream.Builder all = forgotten == null ? LongStream.builder() : forgotten;
    for (Node node = first; node != null; node = node.next) {
      all.add(node.message);
    }
    return all.build();
  }

  Node firstNode() {
    return Objects.requireNonNull(first, "a part without messages");
  }

  /** All that is known, in order. */
  List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (Node node = first; node != null; node = node.next) {
      nodes.add(node);
    }
    return nodes;
  }

  /** Whether its members were in the other part before they began this one. */
  boolean isAnchoredIn(SequencePart other) {
    return anchor != null && anchor.part.whole() == other;
  }

  boolean isAnchoredBefore(Node node) {
    return anchor != null && between(anchor, node) != null;
  }

  /** The messages between the anchor and the first message; none while that is unknown. */
  List<Node> skippedBehindAnchor() {
    List<Node> skipped = anchor == null ? null : between(anchor, firstNode());
    return skipped == null ? List.of() : skipped;
  }

  /** The messages of another part are linked into this one. */
  void takeIn(SequencePart part) {
    part.within = this;
    part.first = null;
    if (part.forgotten != null) {
      forgotten = part.forgotten;
      part.forgotten = null;
    }
  }

  /** The message before one that is not the first. */
  Node before(Node node) {
    Node before = first;
    while (before != null && before.next != node) {
      before = before.next;
    }
    if (before == null) {
      throw new IllegalStateException("a message is not in its part");
    }
    return before;
  }

  /** What stands between two messages; null when the second one does not stand behind the first. */
  static @Nullable List<Node> between(Node from, Node to) {
    List<Node> between = new ArrayList<>();
    Node node = from.next;
    while (node != null && node != to) {
      between.add(node);
      node = node.next;
    }
    return node == null ? null : between;
  }
}
