package dev.chatflow.lab.listen;

import java.util.Locale;

/**
 * What has become of an audience since it was opened.
 *
 * @param in listeners and speakers that are in their rooms now
 * @param said messages
 * @param heard deliveries, each counted once
 * @param missing deliveries passed over: a later message came first
 * @param repeated deliveries beyond the first
 * @param resumed times that somebody came back and was shown first what he named
 * @param notResumed times that something else was shown first
 * @param caughtUp deliveries of {@code heard} that came to somebody before his own JOIN
 * @param others JOINs and LEAVEs of others that were shown
 * @param refused attempts to connect or to JOIN that were put off
 * @param p50 of the times from a message's due time until the last has it, of messages of the last
 *     command, in milliseconds; 0 for none
 * @param p99 likewise
 * @param exact whether all are in and have heard all that was said, once and in order
 * @param failure the first one that is no part of a server's restart; empty for none
 */
record Tally(
    long in,
    long said,
    long heard,
    long missing,
    long repeated,
    long resumed,
    long notResumed,
    long caughtUp,
    long others,
    long refused,
    double p50,
    double p99,
    boolean exact,
    String failure) {

  String json() {
    return String.format(
        Locale.ROOT,
        "{\"in\":%d,\"said\":%d,\"heard\":%d,\"missing\":%d,\"repeated\":%d,\"resumed\":%d,"
            + "\"notResumed\":%d,\"caughtUp\":%d,\"others\":%d,\"refused\":%d,\"p50\":%.3f,"
            + "\"p99\":%.3f,\"exact\":%b,\"failure\":\"%s\"}",
        in,
        said,
        heard,
        missing,
        repeated,
        resumed,
        notResumed,
        caughtUp,
        others,
        refused,
        p50,
        p99,
        exact,
        failure.replaceAll("[\"\\\\\\p{Cntrl}]", "'"));
  }
}
