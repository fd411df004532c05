package dev.chatflow.client.transport;

import java.net.InetAddress;
import java.util.List;

/**
 * What connections carry and where they come from. Holds secrets: never printed or stored.
 *
 * @param headers lines of every upgrade and request, without line ends
 * @param localAddresses own addresses used in turns; empty: the system chooses
 */
public record Access(List<String> headers, List<InetAddress> localAddresses) {
  public static final Access OPEN = new Access(List.of(), List.of());

  public Access {
    headers = List.copyOf(headers);
    localAddresses = List.copyOf(localAddresses);
  }

  /** The headers as they stand in a request. */
  public String headerLines() {
    return headers.isEmpty() ? "" : String.join("\r\n", headers) + "\r\n";
  }

  @Override
  public String toString() {
    return headers.size() + " headers, " + localAddresses;
  }
}
