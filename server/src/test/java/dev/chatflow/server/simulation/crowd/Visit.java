package dev.chatflow.server.simulation.crowd;

import dev.chatflow.server.simulation.world.SimulatedServer;
import dev.chatflow.server.simulation.world.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One connection as its client saw it. */
public final class Visit {

  /** No close has arrived. */
  static final int OPEN = 0;

  /** It ended without a close. */
  static final int BROKEN = -1;

  /**
   * The requests of a JOIN.
   *
   * @param after the frame it named, or null
   */
  public record Asked(@Nullable String after, int history) {}

  /**
   * A signal that it got.
   *
   * @param frames number of room frames that it had got before, since its connection opened
   */
  public record Signalled(String id, int frames) {}

  private final String user;
  private final SimulatedServer server;

  /** The room's frames in the order of arrival. */
  private final List<String> frames = new ArrayList<>();

  private final List<Signalled> signals = new ArrayList<>();

  private final Map<String, Asked> joins = new HashMap<>();
  private final Set<String> leaves = new HashSet<>();

  /** The state of its server when each JOIN was shown. */
  private final Map<String, Slice> known = new HashMap<>();

  /** The index where each membership begins. */
  private final List<Integer> begins = new ArrayList<>(List.of(0));

  private @Nullable String first;
  private boolean member;
  private boolean excused;
  private boolean doomed;
  private boolean refused;
  private boolean stalled;
  private int code;

  Visit(String user, SimulatedServer server) {
    this.user = user;
    this.server = server;
    this.excused = server.witness().isExcused();
  }

  String user() {
    return user;
  }

  public SimulatedServer server() {
    return server;
  }

  void shown(String frame) {
    excused |= server.witness().isExcused();
    if (begins.getLast() == frames.size()) {
      first = frame;
    }
    frames.add(frame);
    if (leaves.remove(Frames.id(frame)) || isRemovedWhileLeaving(frame)) { // not in the past
      leaves.clear();
      begins.add(frames.size());
    }
  }

  void signalled(String id) {
    excused |= server.witness().isExcused();
    signals.add(new Signalled(id, frames.size()));
  }

  /** Returns its signals in the order of arrival. */
  public List<Signalled> signals() {
    return signals;
  }

  /** A removal that precedes the LEAVE of the client takes its place. */
  private boolean isRemovedWhileLeaving(String frame) {
    return !leaves.isEmpty() && Frames.isRemoval(frame) && Frames.who(frame).equals(user);
  }

  /** Returns the first frame of the membership. */
  @Nullable String first() {
    return first;
  }

  void asks(String join, Asked asked) {
    joins.put(join, asked);
  }

  public @Nullable Asked asked(String join) {
    return joins.get(join);
  }

  /** Notes that its JOIN was shown. */
  void entered(String join) {
    member = true;
    known.put(join, server.witness().slice());
  }

  public @Nullable Slice knownAt(String join) {
    return known.get(join);
  }

  void leaves(String leave) {
    member = false;
    leaves.add(leave);
  }

  /** Returns the frames of each membership. */
  public List<List<String>> memberships() {
    List<List<String>> all = new ArrayList<>();
    for (int i = 0; i < begins.size(); i++) {
      int end = i + 1 < begins.size() ? begins.get(i + 1) : frames.size();
      all.add(frames.subList(begins.get(i), end));
    }
    return all;
  }

  public boolean isMember() {
    return member;
  }

  /** Handles a loss of its server, which concerns its members. */
  void doom() {
    doomed |= member;
  }

  public boolean isDoomed() {
    return doomed;
  }

  /** Excludes it from the comparison. */
  void excuse() {
    excused = true;
  }

  public boolean isExcused() {
    return excused;
  }

  /** Notes that one of its JOINs was rejected. */
  void refused() {
    refused = true;
  }

  boolean wasRefused() {
    return refused;
  }

  void stall() {
    stalled = true;
  }

  boolean wasStalled() {
    return stalled;
  }

  void closed(int with) {
    if (code == OPEN) {
      code = with;
    }
  }

  public int code() {
    return code;
  }

  public boolean isOpen() {
    return code == OPEN;
  }

  @Override
  public String toString() {
    return "user " + user + " at " + server;
  }
}
