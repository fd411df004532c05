package dev.chatflow.lab.crowd;

/**
 * Counts of what a crowd has done and received so far.
 *
 * @param in members that are in their rooms now
 * @param all members
 * @param seconds that the last command took; of speaking, from the first due time to the last
 *     delivery
 * @param sent messages of the last command
 * @param deliveries of the last command, each counted once
 * @param missing deliveries that members in their rooms do not have
 * @param misordered deliveries after a later one of the same sender
 * @param repeated deliveries beyond the first
 * @param resumed times that a member reconnected and first received the message it named
 * @param notResumed times that it first received something else
 * @param caughtUp deliveries that a member received after it reconnected and before its JOIN
 * @param others notices of other members that entered or left
 * @param refused attempts to connect or to JOIN that a server put off
 * @param bytes received
 * @param p50 of the times from a message's due time to each of its deliveries during the last
 *     command, in milliseconds; 0 without a rate
 * @param p99 likewise
 * @param allP50 of the times until all members of a room have a message, where one member speaks
 * @param allP99 likewise
 * @param exact whether all are in their rooms and have received everything once and in order
 * @param failure the first one that is not part of a server's restart; empty for none
 */
record Tally(
    long in,
    long all,
    double seconds,
    long sent,
    long deliveries,
    long missing,
    long misordered,
    long repeated,
    long resumed,
    long notResumed,
    long caughtUp,
    long others,
    long refused,
    long bytes,
    double p50,
    double p99,
    double allP50,
    double allP99,
    boolean exact,
    String failure) {}
