package dev.chatflow.broker;

import com.rabbitmq.client.Connection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which releases of RabbitMQ may be a cluster of several nodes. Stateless. */
final class ClusterRelease {

  private static final int[] LEAST = {4, 0, 6};
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

  private ClusterRelease() {}

  /** Why what answered cannot be one of several nodes, in words for an operator; or null. */
  static @Nullable String unfit(Connection connection) {
    Map<String, Object> properties = connection.getServerProperties();
    return unfit(
        String.valueOf(properties.get("product")), String.valueOf(properties.get("version")));
  }

  static @Nullable String unfit(String product, String version) {
    if (product.equals("RabbitMQ") && isEnough(version)) {
      return null;
    }
    return "this is "
        + product
        + " "
        + version
        + ", and several addresses need RabbitMQ 4.0.6 or later: earlier ones lose or repeat"
        + " messages of a log when its leader changes; name one address, or upgrade all nodes";
  }

  private static boolean isEnough(String version) {
    Matcher parts = VERSION.matcher(version);
    if (!parts.matches()) {
      return false;
    }
    for (int i = 0; i < LEAST.length; i++) {
      int distance = Integer.compare(Integer.parseInt(parts.group(i + 1)), LEAST[i]);
      if (distance != 0) {
        return distance > 0;
      }
    }
    return true;
  }
}
