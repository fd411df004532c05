package dev.chatflow.server.simulation.world;

import dev.chatflow.server.publish.Fate;
import dev.chatflow.server.publish.LaneEntry;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A line that a server accepted, and the fate it reported to the sender. */
public final class ReportedFate implements Fate {

  /** The possible fates. */
  public enum Word {
    BACK,
    DROPPED,
    UNKNOWN
  }

  private final World world;
  private final String id;
  private final long namedAtTaking;
  private final BooleanSupplier mayBeMissed;
  private boolean returned;
  private @Nullable Word word;

  /**
   * @param namedAtTaking the greatest number its entry may name as read
   * @param mayBeMissed returns whether the ring overwrote entries before its reader read them: they
   *     are in the log all the same
   */
  public ReportedFate(World world, String id, long namedAtTaking, BooleanSupplier mayBeMissed) {
    this.world = world;
    this.id = id;
    this.namedAtTaking = namedAtTaking;
    this.mayBeMissed = mayBeMissed;
  }

  public String id() {
    return id;
  }

  public @Nullable Word word() {
    return word;
  }

  /** Notes that it is in flight. */
  void sent(LaneEntry entry) {
    world.check(
        entry.read() <= namedAtTaking,
        () -> id + " names " + entry.read() + ", which was not read when it was taken");
  }

  /** Notes that it was handed on as returned. */
  public void returned() {
    world.check(word == null, () -> id + " came back behind the word that it is " + word);
    returned = true;
  }

  @Override
  public void back() {
    world.check(
        returned || mayBeMissed.getAsBoolean(),
        () -> "told that " + id + " is back, and it was not handed on");
    tell(Word.BACK);
  }

  @Override
  public void dropped() {
    world.check(!returned, () -> "told that " + id + " is dropped, and it was handed on");
    tell(Word.DROPPED);
  }

  @Override
  public void unknown() {
    tell(Word.UNKNOWN);
  }

  private void tell(Word what) {
    world.check(word == null, () -> "told of " + id + " before");
    word = what;
  }
}
