package dev.chatflow.broker;

import com.rabbitmq.client.Connection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a release of RabbitMQ can keep the logs, as a single node or in a cluster.
 * Stateless.
 */
final class BrokerRelease {

  private static final String RABBITMQ = "RabbitMQ";
  private static final List<Integer> WITH_STREAMS = List.of(3, 9, 0);
  private static final List<Integer> OF_SEVERAL = List.of(4, 0, 6);
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

  private BrokerRelease() {}

  /** Returns why the broker cannot be used, for operators; or null. */
  static @Nullable String unfit(Connection connection, Nodes nodes) {
    Map<String, Object> properties = connection.getServerProperties();
    return unfit(
        String.valueOf(properties.get("product")),
        String.valueOf(properties.get("version")),
        nodes);
  }

  static @Nullable String unfit(String product, String version, Nodes nodes) {
    String found = "this is " + product + " " + version + ", and ";
    boolean rabbit = product.equals(RABBITMQ);
    if (nodes == Nodes.SEVERAL && !(rabbit && isFrom(OF_SEVERAL, version))) {
      return found
          + "several addresses need RabbitMQ 4.0.6 or later: earlier ones lose or repeat messages"
          + " of a log when its leader changes; name one address, or upgrade all nodes";
    }
    if (rabbit && !isFrom(WITH_STREAMS, version)) {
      return found + "logs need streams: use RabbitMQ 3.9 or later (tested with 3.10 and later)";
    }
    return null;
  }

  private static boolean isFrom(List<Integer> least, String version) {
    Matcher parts = VERSION.matcher(version);
    if (!parts.matches()) {
      return false;
    }
    for (int i = 0; i < least.size(); i++) {
      int distance = Integer.compare(Integer.parseInt(parts.group(i + 1)), least.get(i));
      if (distance != 0) {
        return distance > 0;
      }
    }
    return true;
  }
}
