package dev.chatflow.log;

/** The AMQP headers of an entry, except those that give its number in its {@link Entry#lane}. */
public final class Headers {

  /** The greatest number of its lane that an entry's lines may name as read. */
  public static final String READ = "x-read";

  /** The cluster time at which a lane built an entry, in ms. */
  public static final String TIME = "x-time";

  /** The number of messages in a batch. */
  public static final String COUNT = "x-count";

  /** The kind of an entry that is neither lines nor a beacon. */
  public static final String KIND = "x-kind";

  /** The kind of an entry that is a page of its lane's members. */
  public static final String KIND_PRESENCE = "presence";

  /** The kind of an entry with copies of earlier entries, for readers that start. */
  public static final String KIND_BLOCK = "block";

  /** The number of a lane's request to all other lanes for their members. */
  public static final String SNAPSHOT_REQUEST = "x-snapshot-request";

  /** The number of members of a lane after this entry, and their hash. */
  public static final String MEMBERS = "x-members";

  /** The lanes whose members end at this entry, separated by spaces. */
  public static final String LOST_LANES = "x-lost-lanes";

  /** The statistics of the server that published an entry. */
  public static final String STATISTICS = "x-statistics";

  private Headers() {}
}
