package dev.chatflow.client.engine;

import dev.chatflow.client.plan.InvalidPlan;
import dev.chatflow.client.plan.Target;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The servers' addresses, looked up once. Immutable. */
public final class Endpoints {
  private final Target target;
  private final List<InetSocketAddress> addresses = new ArrayList<>();

  public Endpoints(Target target) {
    this.target = target;
    for (int server = 0; server < target.urls().size(); server++) {
      URI uri = target.uriOfServer(server, 1);
      InetSocketAddress address = new InetSocketAddress(uri.getHost(), Target.portOf(uri));
      if (address.isUnresolved()) {
        throw new InvalidPlan("host not found: " + uri.getHost());
      }
      addresses.add(address);
    }
  }

  URI uriOf(int user, int room) {
    return target.uriOf(user, room);
  }

  URI postUriOf(int user, int room) {
    return target.postUriOf(user, room);
  }

  InetSocketAddress addressOf(int user) {
    return addresses.get(target.serverOf(user));
  }
}
