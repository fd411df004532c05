package dev.chatflow.server.publish;

import dev.chatflow.message.MessageType;
import dev.chatflow.room.RoomId;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Offers by any thread, polls and calls by the lane's: linearizable, no sender called twice. */
@Param(name = "length", gen = IntGen.class, conf = "1:3")
public class LaneQueueLincheckTest {

  private final LaneQueue queue = new LaneQueue(5);
  private final Drained first = () -> calledFirst();
  private final Drained second = () -> calledSecond();
  private final RoomId room = new RoomId("1");
  private int firstCalls;
  private int secondCalls;

  private void calledFirst() {
    firstCalls++;
  }

  private void calledSecond() {
    secondCalls++;
  }

  private Outgoing message(int length) {
    return new Outgoing.Line(room, new byte[length + 1], "id", MessageType.TEXT, 0);
  }

  @Operation
  public boolean offerFirst(@Param(name = "length") int length) {
    return queue.offer(message(length), first);
  }

  @Operation
  public boolean offerSecond(@Param(name = "length") int length) {
    return queue.offer(message(length), second);
  }

  @Operation(nonParallelGroup = "lane")
  public int poll() {
    Outgoing message = queue.poll();
    return message == null ? 0 : message.weightBytes();
  }

  /** Who was called: tens for the first sender, units for the second. */
  @Operation(nonParallelGroup = "lane")
  public int callDrained() {
    int before = 10 * firstCalls + secondCalls;
    queue.callDrained();
    return 10 * firstCalls + secondCalls - before;
  }

  @Operation
  public int size() {
    return queue.size();
  }

  @Test
  void isLinearizable() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(3)
        .iterations(10)
        .invocationsPerIteration(150)
        .check(getClass());
  }
}
