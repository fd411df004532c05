package dev.chatflow.client.transport;

import java.net.InetAddress;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What connections carry and where they come from. Holds secrets: never printed or stored.
 *
 * @param headers lines of every upgrade and request, without line ends
 * @param localAddresses own addresses used in turns; empty: the system chooses
 * @param certificates what a server's certificate is checked against; null: the system's
 */
public record Access(
    List<String> headers, List<InetAddress> localAddresses, @Nullable SSLContext certificates) {
  public static final Access OPEN = new Access(List.of(), List.of(), null);

  public Access {
    headers = List.copyOf(headers);
    localAddresses = List.copyOf(localAddresses);
  }

  /** The headers as they stand in a request. */
  public String headerLines() {
    return headers.isEmpty() ? "" : String.join("\r\n", headers) + "\r\n";
  }

  /** What a server's certificate is checked against. */
  public SSLContext trusted() {
    try {
      return certificates == null ? SSLContext.getDefault() : certificates;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the system's certificates cannot be read", e);
    }
  }

  @Override
  public String toString() {
    return headers.size() + " headers, " + localAddresses;
  }
}
