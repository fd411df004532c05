package dev.chatflow.server.launch;

import dev.chatflow.support.HostHeader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/**
 * The addresses of one server.
 *
 * @param address it listens on
 * @param port of chat, page and API
 * @param tls whether chat, page and API use TLS
 * @param adminAddress of the admin listener
 * @param adminPort of the admin listener
 */
record ServerAddresses(String address, int port, boolean tls, String adminAddress, int adminPort) {

  URI ready() {
    return URI.create("http://" + HostHeader.reachable(adminAddress) + ":" + adminPort + "/ready");
  }

  /** Returns the URL of the page for a browser on this machine. */
  URI here() {
    return URI.create((tls ? "https" : "http") + "://localhost:" + port + "/");
  }

  /** Returns one line per URL. */
  String describe() {
    String web = HostHeader.reachable(address) + ":" + port;
    String s = tls ? "s" : "";
    String open = isLoopback() ? "" : "  open    to the network: listens on " + address + "\n";
    return """
      chat    ws%s://%s/chat/{room}
      page    http%s://%s/
      health  http%s://%s/health
      admin   http://%s:%d/ (operations page; /metrics, /ready, POST /drain)
    %s\
    """
        .formatted(s, web, s, web, s, web, HostHeader.reachable(adminAddress), adminPort, open);
  }

  private boolean isLoopback() {
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(e);
    }
  }
}
