package dev.chatflow.log;

/** The AMQP headers of an entry, beside those that name its place in its {@link Entry#lane}. */
public final class Headers {

  /** The greatest number of its lane that an entry's lines may name as read. */
  public static final String READ = "x-read";

  /** Cluster time at which a lane built an entry, in ms. */
  public static final String TIME = "x-time";

  /** The number of messages in a batch. */
  public static final String COUNT = "x-count";

  /** What an entry is, where it is neither lines nor a beacon. */
  public static final String KIND = "x-kind";

  /** The kind of an entry that is a page of its lane's members. */
  public static final String KIND_PRESENCE = "presence";

  /** The number of a lane's request that all others tell their members. */
  public static final String SNAPSHOT_REQUEST = "x-snapshot-request";

  /** How many members a lane has behind an entry of it, and their hash. */
  public static final String MEMBERS = "x-members";

  /** Lanes whose members end at this entry, with spaces between them. */
  public static final String LOST_LANES = "x-lost-lanes";

  /** How the server goes that published an entry. */
  public static final String STATISTICS = "x-statistics";

  private Headers() {}
}
