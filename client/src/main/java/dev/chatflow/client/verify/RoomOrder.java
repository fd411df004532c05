package dev.chatflow.client.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * In which order each member of one room saw its texts: a rolling hash per member, with a
 * checkpoint every 1,000 texts to locate the first difference.
 *
 * <p>Belongs to the load thread of the room. Holds 8 bytes per member and 1,000 texts.
 */
public final class RoomOrder {
  static final int CHECKPOINT = 1_000;

  private final long[] hashes;
  private final int[] counts;
  private final long[][] checkpoints;

  public RoomOrder(int members) {
    hashes = new long[members];
    counts = new int[members];
    checkpoints = new long[members][16];
  }

  /** The next text of a member. */
  public void saw(int receiver, int sender, int seq) {
    long message = (long) sender << 32 | seq;
    hashes[receiver] = (hashes[receiver] ^ message) * 0x9E3779B97F4A7C15L + 0x632BE59BD9B4E019L;
    int count = ++counts[receiver];
    if (count % CHECKPOINT == 0) {
      int slot = count / CHECKPOINT - 1;
      if (slot == checkpoints[receiver].length) {
        checkpoints[receiver] = Arrays.copyOf(checkpoints[receiver], slot * 2);
      }
      checkpoints[receiver][slot] = hashes[receiver];
    }
  }

  /** One member that saw another order than the first one asked about. */
  public record Divergence(int receiver, int afterTexts) {}

  /** Compares the given members with the first of them. */
  public List<Divergence> divergences(List<Integer> members) {
    List<Divergence> found = new ArrayList<>();
    if (members.isEmpty()) {
      return found;
    }
    int reference = members.getFirst();
    for (int member : members) {
      if (hashes[member] != hashes[reference] || counts[member] != counts[reference]) {
        found.add(new Divergence(member, lastAgreement(reference, member)));
      }
    }
    return found;
  }

  private int lastAgreement(int reference, int member) {
    int common = Math.min(counts[reference], counts[member]) / CHECKPOINT;
    int slot = 0;
    while (slot < common && checkpoints[reference][slot] == checkpoints[member][slot]) {
      slot++;
    }
    return slot * CHECKPOINT;
  }
}
