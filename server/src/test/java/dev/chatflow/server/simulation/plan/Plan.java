package dev.chatflow.server.simulation.plan;

import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.plan.Step.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The plan of a seed: servers, faults, and steps in the order of their times. */
public record Plan(
    Dice dice, Kind kind, boolean isCrowded, int servers, Set<Fault> faults, List<Step> steps) {

  private static final int STEPS = 250;

  /** One of this many plans has clients, rooms and connections; the others only lines. */
  private static final int CROWDED_ONE_OF = 2;

  private static final List<Kind> KINDS = List.of(Kind.values());

  /** Returns the plan of a seed. */
  public static Plan of(long seed) {
    Dice dice = new Dice(seed);
    Kind kind = KINDS.get(dice.below(KINDS.size(), Channel.PLAN, -1));
    boolean crowded = dice.below(CROWDED_ONE_OF, Channel.PLAN, -4) == 0;
    int servers = 1 + dice.below(4, Channel.PLAN, -2);
    Set<Fault> faults = Fault.of(dice, kind);
    List<Step> steps = new ArrayList<>(STEPS);
    long atMillis = 0;
    for (int number = 0; number < STEPS; number++) {
      atMillis += pauseMillis(dice, number);
      long value = dice.hash(Channel.PLAN, 8L * number + 3);
      int actor = dice.below(servers, Channel.PLAN, 8L * number + 1);
      steps.add(new Step(number, atMillis, actor, action(dice, faults, number), value));
    }
    return new Plan(dice, kind, crowded, servers, faults, steps);
  }

  /**
   * Returns a pause: mostly short, sometimes seconds, rarely so long that no server reads any more.
   */
  private static long pauseMillis(Dice dice, int number) {
    int kind = dice.below(400, Channel.PLAN, 8L * number + 4);
    int bound = kind == 0 ? 30_000 : kind < 16 ? 4_000 : 30;
    return dice.below(bound, Channel.PLAN, 8L * number + 5);
  }

  private static Action action(Dice dice, Set<Fault> faults, int number) {
    int draw = dice.below(60, Channel.PLAN, 8L * number + 2);
    return switch (draw) {
      case 0 -> faults.contains(Fault.CONNECTION_CUT) ? Action.CUT_CONNECTION : Action.TEXT;
      case 1 -> faults.contains(Fault.READING_CUT) ? Action.CUT_READING : Action.TEXT;
      case 2 -> faults.contains(Fault.FREEZE) ? Action.FREEZE : Action.TEXT;
      case 3, 4 -> faults.contains(Fault.BOOT) ? Action.BOOT : Action.TEXT;
      case 5 -> faults.contains(Fault.TAIL_LOST) ? Action.CUT_TAIL : Action.TEXT;
      case 6 -> faults.contains(Fault.DRAIN) ? Action.DRAIN : Action.JOIN;
      case 54, 55, 56 -> faults.contains(Fault.POSTS) ? Action.POST : Action.TEXT;
      case 57, 58 -> faults.contains(Fault.CLIENT_CUT) ? Action.CUT_CLIENT : Action.TEXT;
      case 59 -> faults.contains(Fault.CLIENT_STALL) ? Action.STALL_CLIENT : Action.TEXT;
      default -> draw < 14 ? Action.JOIN : draw < 23 ? Action.LEAVE : Action.TEXT;
    };
  }

  /** Returns the same plan with only these steps. */
  public Plan with(List<Step> fewer) {
    return new Plan(dice, kind, isCrowded, servers, faults, List.copyOf(fewer));
  }

  /** Returns how rarely an attempt to publish has a given fault: one in this many. */
  public int rarity() {
    return dice.below(2, Channel.PLAN, -3) == 0 ? 40 : 10;
  }

  /** Returns whether a server is slow, by the number of its boot. */
  public boolean isSlow(long boot) {
    return has(Fault.SLOW) && boot % 2 == 0;
  }

  public boolean has(Fault fault) {
    return faults.contains(fault);
  }
}
