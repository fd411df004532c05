package dev.chatflow.client.transport;

import java.net.InetAddress;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The credentials and source addresses of connections. Contains secrets: never printed or stored.
 *
 * @param headers lines of every upgrade and request, without line ends
 * @param localAddresses source addresses, used round-robin; empty: the system chooses
 * @param certificates trusted certificates; null for the system's
 */
public record Access(
    List<String> headers, List<InetAddress> localAddresses, @Nullable SSLContext certificates) {
  public static final Access OPEN = new Access(List.of(), List.of(), null);

  public Access {
    headers = List.copyOf(headers);
    localAddresses = List.copyOf(localAddresses);
  }

  /** Returns the headers for a request. */
  public String headerLines() {
    return headers.isEmpty() ? "" : String.join("\r\n", headers) + "\r\n";
  }

  /** Returns the trusted certificates. */
  public SSLContext trusted() {
    try {
      return certificates == null ? SSLContext.getDefault() : certificates;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("cannot read the system's certificates", e);
    }
  }

  @Override
  public String toString() {
    return headers.size() + " headers, " + localAddresses;
  }
}
