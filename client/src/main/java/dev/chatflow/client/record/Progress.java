package dev.chatflow.client.record;

/**
 * The current numbers of a load thread for the live line.
 *
 * @param due copies that have not arrived, including those of disconnected members
 * @param inFlightNanos time-weighted sum of messages in flight
 */
public record Progress(
    long open,
    long joined,
    long sent,
    long delivered,
    long inFlight,
    long due,
    long duplicates,
    double inFlightNanos) {
  public static final Progress NONE = new Progress(0, 0, 0, 0, 0, 0, 0, 0);

  public Progress plus(Progress other) {
    return new Progress(
        open + other.open,
        joined + other.joined,
        sent + other.sent,
        delivered + other.delivered,
        inFlight + other.inFlight,
        due + other.due,
        duplicates + other.duplicates,
        inFlightNanos + other.inFlightNanos);
  }
}
