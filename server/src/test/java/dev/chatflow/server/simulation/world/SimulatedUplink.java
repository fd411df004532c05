package dev.chatflow.server.simulation.world;

import dev.chatflow.server.publish.Confirm;
import dev.chatflow.server.publish.Fate;
import dev.chatflow.server.publish.LaneEntry;
import dev.chatflow.server.publish.Uplink;
import dev.chatflow.server.simulation.plan.Dice.Channel;
import dev.chatflow.server.simulation.plan.Fault;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The publisher connection of one server, with the possible faults of an entry in flight. */
public final class SimulatedUplink implements Uplink {

  /** One attempt: its outcome is reported once, unless it was abandoned. */
  private final class Flight implements Attempt, Consumer<Confirm> {
    private final Consumer<Confirm> outcome;

    Flight(Consumer<Confirm> outcome) {
      this.outcome = outcome;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the identical attempt
    public void accept(Confirm confirm) {
      if (flight == this) {
        flight = null;
        outcome.accept(confirm);
      }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the identical attempt
    public void abandon() {
      if (flight == this) {
        flight = null;
      }
    }
  }

  private static final List<Fault> ON_THE_WAY =
      List.of(Fault.CHANNEL_LOST, Fault.NACK, Fault.SILENCE, Fault.LATE_COPY, Fault.LATE_CONFIRM);

  private static final int SLOW_MILLIS = 500;
  private static final List<Integer> LATE_MILLIS = List.of(400, 2_000, 2_000, 20_000);

  private final World world;
  private final long number;
  private final BooleanSupplier open;
  private @Nullable Flight flight;
  private long attempts;

  /**
   * @param number number of the server's boot
   */
  SimulatedUplink(World world, long number, BooleanSupplier open) {
    this.world = world;
    this.number = number;
    this.open = open;
  }

  @Override
  public boolean isOpen() {
    return open.getAsBoolean();
  }

  @Override
  public boolean isBlocked() {
    return false;
  }

  @Override
  public Attempt send(LaneEntry entry, Consumer<Confirm> outcome) {
    world.check(flight == null, () -> "two entries of " + entry.lane() + " are in flight");
    entry.fates().forEach(fate -> sent(fate, entry));
    world.note(() -> entry.lane() + " sends " + entry.number() + " read " + entry.read());
    Flight sent = new Flight(outcome);
    flight = sent;
    long name = number * 100_000 + attempts++;
    switch (fault(name)) {
      case CHANNEL_LOST -> land(soon(name), entry, () -> sent.accept(new Confirm.Lost("channel")));
      case NACK -> world.clock().after(soon(name), () -> sent.accept(new Confirm.Nacked()));
      case SILENCE -> land(soon(name), entry, () -> {});
      case LATE_COPY -> {
        land(late(name), entry, () -> {});
        world.clock().after(soon(name), () -> sent.accept(new Confirm.Lost("connection")));
      }
      case LATE_CONFIRM -> land(600 + late(name), entry, () -> sent.accept(new Confirm.Acked()));
      case null, default -> land(soon(name), entry, () -> sent.accept(new Confirm.Acked()));
    }
    return sent;
  }

  private static void sent(Fate fate, LaneEntry entry) {
    if (fate instanceof ReportedFate told) {
      told.sent(entry);
    }
  }

  /** Returns the fault of an attempt, or null. */
  private @Nullable Fault fault(long name) {
    int draw = world.dice().below(world.plan().rarity(), Channel.FATE, name);
    if (draw >= ON_THE_WAY.size() || !world.isFaulty()) {
      return null;
    }
    Fault fault = ON_THE_WAY.get(draw);
    return world.plan().has(fault) ? fault : null;
  }

  private long soon(long name) {
    int bound = world.plan().isSlow(number) ? SLOW_MILLIS : 5;
    return 1L + world.dice().below(bound, Channel.LANDING, name);
  }

  /** Returns a delay of some windows, or much more. */
  private long late(long name) {
    int bound = LATE_MILLIS.get(world.dice().below(LATE_MILLIS.size(), Channel.LATE, name));
    return 1L + world.dice().below(bound, Channel.LANDING, -name);
  }

  private void land(long millis, LaneEntry entry, Runnable then) {
    world
        .clock()
        .after(
            millis,
            () -> {
              world.append(entry);
              then.run();
            });
  }

  /** Ends the connection: the outcomes of entries in flight are unknown. */
  void cut() {
    Flight known = flight;
    if (known != null) {
      known.accept(new Confirm.Lost("connection"));
    }
  }
}
