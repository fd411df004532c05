package dev.chatflow.lab.broker;

import dev.chatflow.server.TcpProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The network between one server and all nodes of the broker, with faults. Thread-safe. */
public final class BrokerLink implements AutoCloseable {

  private final List<TcpProxy> proxies = new ArrayList<>();
  private final URI uri;

  private BrokerLink(URI broker) throws IOException {
    String[] parts = broker.getRawAuthority().split("@", 2);
    for (String node : parts[1].split(",", -1)) {
      String[] address = node.split(":", 2);
      proxies.add(TcpProxy.to(new InetSocketAddress(address[0], Integer.parseInt(address[1]))));
    }
    String here =
        proxies.stream().map(proxy -> "127.0.0.1:" + proxy.port()).collect(Collectors.joining(","));
    uri = URI.create(broker.toString().replace(parts[1], here));
  }

  /** Creates a network to all nodes of a broker. */
  public static BrokerLink to(FaultyBroker broker) throws IOException {
    return new BrokerLink(broker.uri());
  }

  /** Returns the broker's address through it. */
  public URI uri() {
    return uri;
  }

  /** Fault: drops everything without notice. */
  public void freeze() {
    proxies.forEach(TcpProxy::freeze);
  }

  /** Fault: holds back the broker's answers. */
  public void mute() {
    proxies.forEach(TcpProxy::mute);
  }

  /** Fault: resets all connections, including new ones. */
  public void cut() {
    proxies.forEach(TcpProxy::cut);
  }

  /** Ends all faults. */
  public void restore() {
    proxies.forEach(TcpProxy::restore);
  }

  @Override
  public void close() throws IOException {
    for (TcpProxy proxy : proxies) {
      proxy.close();
    }
  }
}
