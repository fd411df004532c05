package dev.chatflow.client.plan;

/**
 * The number of sends and deliveries of a workload whose rooms serialise JOINs and LEAVEs.
 *
 * <p>The k-th JOIN of a room reaches k members, and likewise for LEAVEs, so both kinds make {@code
 * R * U * (U + 1) / 2} deliveries; each TEXT makes U. A user that leaves and joins again is seen by
 * at most U members: then the number is an upper bound.
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
