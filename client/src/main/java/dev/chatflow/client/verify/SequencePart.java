package dev.chatflow.client.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a {@link RoomSequence} in a known order, starting with one that was new when a member
 * received it.
 *
 * <p>Belongs to the load thread of the room.
 */
final class SequencePart {

  /** A message with a link to the next one. */
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

  /** The messages before {@link #first}, if they are kept; null while there are none. */
  LongStream.@Nullable Builder forgotten;

  /**
   * Creates an empty part.
   *
   * @param writtenTick earliest write time of its first message
   * @param seenTick when its first message was received
   * @param anchor message before its first one; null if that is a JOIN
   */
  SequencePart(long writtenTick, long seenTick, @Nullable Node anchor) {
    this.writtenTick = writtenTick;
    this.seenTick = seenTick;
    this.anchor = anchor;
  }

  /** Returns the part that this one was inserted into, or itself. */
  SequencePart whole() {
    SequencePart whole = this;
    while (whole.within != null) {
      whole = whole.within;
    }
    return whole;
  }

  /** Removes its first message and returns the next one. */
  @Nullable Node forgetFirst(Node removed, boolean kept) {
    first = removed.next;
    if (kept) {
      forgotten = forgotten == null ? LongStream.builder() : forgotten;
      forgotten.add(removed.message);
    }
    return first;
  }

  /** Returns all kept and known messages in order. Call it once. */
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

  /** Returns all known messages in order. */
  List<Node> nodes() {
    List<Node> nodes = new ArrayList<>();
    for (Node node = first; node != null; node = node.next) {
      nodes.add(node);
    }
    return nodes;
  }

  /** Returns whether its members were in the other part before. */
  boolean isAnchoredIn(SequencePart other) {
    return anchor != null && anchor.part.whole() == other;
  }

  boolean isAnchoredBefore(Node node) {
    return anchor != null && between(anchor, node) != null;
  }

  /** Returns the messages between anchor and first message; none while that is unknown. */
  List<Node> skippedBehindAnchor() {
    List<Node> skipped = anchor == null ? null : between(anchor, firstNode());
    return skipped == null ? List.of() : skipped;
  }

  /** Links the messages of another part into this one. */
  void takeIn(SequencePart part) {
    part.within = this;
    part.first = null;
    if (part.forgotten != null) {
      forgotten = part.forgotten;
      part.forgotten = null;
    }
  }

  /** Returns the predecessor of a message that is not the first. */
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

  /** Returns the messages between two; null if the second does not follow the first. */
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
