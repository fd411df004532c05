package dev.chatflow.lab.crowd;

/**
 * The counts of a crowd so far.
 *
 * @param in number of members in their rooms
 * @param all members
 * @param seconds duration of the last command; for speak, from the first due time to the last
 *     delivery
 * @param sent messages of the last command
 * @param deliveries of the last command, each counted once
 * @param missing deliveries that did not reach members in their rooms
 * @param misordered deliveries after a later one of their sender
 * @param repeated further copies of deliveries
 * @param resumed number of reconnects after which the named message arrived first
 * @param notResumed number of reconnects after which another message arrived first
 * @param caughtUp deliveries between a reconnect and its JOIN
 * @param others notices of other members' JOINs or LEAVEs
 * @param refused connects or JOINs that a server postponed
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
