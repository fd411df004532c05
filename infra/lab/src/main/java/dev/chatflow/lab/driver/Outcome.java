package dev.chatflow.lab.driver;

import java.util.Locale;

/**
 * What became of a step of the driver.
 *
 * @param seconds from the first message's due time to the last delivery
 * @param sent messages
 * @param deliveries each counted once
 * @param missing deliveries that did not come
 * @param misordered deliveries behind a later one of the same sender
 * @param repeated deliveries beyond the first
 * @param p50 of the times from a message's due time to each of its deliveries, in milliseconds; 0
 *     when there was no rate
 * @param p99 likewise
 * @param failure of a connection, the first one; empty for none
 */
record Outcome(
    double seconds,
    long sent,
    long deliveries,
    long missing,
    long misordered,
    long repeated,
    double p50,
    double p99,
    String failure) {

  /** Of what did not come to speaking; with an empty text of what went well so far. */
  static Outcome failed(String failure) {
    return new Outcome(0, 0, 0, 0, 0, 0, 0, 0, failure);
  }

  String json() {
    return String.format(
        Locale.ROOT,
        "{\"seconds\":%.6f,\"sent\":%d,\"deliveries\":%d,\"missing\":%d,\"misordered\":%d,"
            + "\"repeated\":%d,\"p50\":%.3f,\"p99\":%.3f,\"failure\":\"%s\"}",
        seconds,
        sent,
        deliveries,
        missing,
        misordered,
        repeated,
        p50,
        p99,
        failure.replaceAll("[\"\\\\\\p{Cntrl}]", "'"));
  }
}
