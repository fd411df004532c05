package dev.chatflow.client.engine;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.plan.Target;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The addresses of the servers, resolved once. Immutable. */
final class Endpoints {
  private final Target target;
  private final List<InetSocketAddress> addresses = new ArrayList<>();

  Endpoints(Target target) {
    this.target = target;
    for (int server = 0; server < target.urls().size(); server++) {
      URI uri = target.uriOfServer(server, 1);
      InetSocketAddress address = new InetSocketAddress(uri.getHost(), Target.portOf(uri));
      if (address.isUnresolved()) {
        throw CommandFailure.usage("host not found: " + uri.getHost());
      }
      addresses.add(address);
    }
  }

  /** Returns the address at which members of a room connect to a server. */
  URI uriOf(int server, int room) {
    return target.uriOfServer(server, room);
  }

  /** Returns the address for a user's posts to a room. */
  URI postUriOf(int user, int room) {
    return target.postUriOf(user, room);
  }

  InetSocketAddress addressOf(int server) {
    return addresses.get(server);
  }
}
