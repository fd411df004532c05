package dev.chatflow.client.plan;

/**
 * How many sends and deliveries a workload makes when JOINs and LEAVEs are serialised in each room.
 *
 * <p>The k-th joiner of a room is seen by k members and the k-th leaver likewise, so both kinds
 * make {@code R * U * (U + 1) / 2} deliveries; each TEXT makes U.
 */
public record ExpectedCounts(
    long texts,
    long joins,
    long leaves,
    long textDeliveries,
    long joinDeliveries,
    long leaveDeliveries) {

  public static ExpectedCounts of(Workload workload) {
    long users = workload.users();
    long size = workload.roomSize();
    long steps = users * (size + 1) / 2;
    return new ExpectedCounts(
        workload.texts(), users, users, workload.texts() * size, steps, steps);
  }

  public long sends() {
    return texts + joins + leaves;
  }

  public long deliveries() {
    return textDeliveries + joinDeliveries + leaveDeliveries;
  }
}
