package dev.chatflow.client.plan;

/**
 * How many sends and deliveries a workload makes when JOINs and LEAVEs are serialised in each room.
 *
 * <p>The k-th joiner of a room is seen by k members and the k-th leaver likewise, so both kinds
 * make {@code R * U * (U + 1) / 2} deliveries; each TEXT makes U. Who leaves and joins again in
 * between is seen by at most U: then the deliveries are an upper bound.
 */
public record ExpectedCounts(
    long texts,
    long joins,
    long leaves,
    long textDeliveries,
    long joinDeliveries,
    long leaveDeliveries) {

  public static ExpectedCounts of(Workload workload) {
    long size = workload.listeners();
    long users = workload.rooms() * size;
    long steps = users * (size + 1) / 2;
    long texts = workload.texts() + workload.warmup().texts();
    Mix mix = workload.roles().mix();
    long rejoins = Math.round(workload.texts() * mix.leaves() / mix.texts());
    return new ExpectedCounts(
        texts,
        users + rejoins,
        users + rejoins,
        texts * size,
        steps + rejoins * size,
        steps + rejoins * size);
  }

  public long sends() {
    return texts + joins + leaves;
  }

  public long deliveries() {
    return textDeliveries + joinDeliveries + leaveDeliveries;
  }
}
