package dev.chatflow.client.result;

import dev.chatflow.client.record.ConnectionFigures;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages received by the users of one server in the main window.
 *
 * @param name the server's URL
 */
public record ServerFigures(String name, long connections, long deliveries, double meanMillis) {

  public static List<ServerFigures> of(RunResult result) {
    List<String> urls = result.plan().target().urls();
    List<ServerFigures> servers = new ArrayList<>();
    for (int i = 0; i < urls.size(); i++) {
      int server = i;
      List<ConnectionFigures> own =
          result.record().connections().stream().filter(one -> one.server() == server).toList();
      long received = own.stream().mapToLong(ConnectionFigures::received).sum();
      long nanos = own.stream().mapToLong(ConnectionFigures::latencyNanosSum).sum();
      servers.add(
          new ServerFigures(
              urls.get(i), own.size(), received, received == 0 ? 0 : nanos / 1e6 / received));
    }
    return servers;
  }
}
