package dev.chatflow.server.publish;

import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Offers by any thread, polls and calls by the lane's: linearizable, no sender called twice. */
@Param(name = "length", gen = IntGen.class, conf = "1:3")
public class LaneQueueLincheckTest {

  private static final Outgoing[] MESSAGES =
      IntStream.rangeClosed(0, 3).mapToObj(n -> Lines.ofBytes("1", n + 1)).toArray(Outgoing[]::new);

  private final LaneQueue queue = new LaneQueue(5);
  private final Drained first = () -> calledFirst();
  private final Drained second = () -> calledSecond();
  private int firstCalls;
  private int secondCalls;

  private void calledFirst() {
    firstCalls++;
  }

  private void calledSecond() {
    secondCalls++;
  }

  @Operation
  public boolean offerFirst(@Param(name = "length") int length) {
    return queue.offer(MESSAGES[length], first);
  }

  @Operation
  public boolean offerSecond(@Param(name = "length") int length) {
    return queue.offer(MESSAGES[length], second);
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
        .actorsPerThread(4)
        .iterations(15)
        .invocationsPerIteration(200)
        .check(getClass());
  }
}
