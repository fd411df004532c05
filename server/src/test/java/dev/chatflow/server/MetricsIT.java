package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.embedded.EmbeddedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The names of the meters are a contract: dashboards and alerts use them. */
class MetricsIT {

  private static final Pattern TYPE = Pattern.compile("# TYPE (chatflow_\\S+) (\\w+)");
  private static final Pattern ROW = Pattern.compile("\\| `(chatflow_[a-z0-9_]+)` \\| (\\w+) \\|");

  @Test
  void scrapeHasExactlyTheDocumentedMeters() throws Exception {
    String documented = Files.readString(Path.of("../docs/reference/metrics.md"));
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server =
            TestServer.start(broker.uri(), "metrics", Map.of("CHATFLOW_METRICS_PUBLIC", "true"))) {
      refuseOne(server);
      String text = server.get("/metrics").body();
      assertThat(pairs(TYPE, text)).isEqualTo(pairs(ROW, documented));
      assertThat(text).contains("server_id=\"metrics\"", "jvm_memory_used_bytes");
    }
  }

  /** Meters with the label of a cause exist once that cause occurred. */
  private static void refuseOne(TestServer server) throws Exception {
    try (ChatClient client = ChatClient.joined(server.chat("1"), 1)) {
      client.sendRaw("nonsense");
      client.next();
    }
    server.get("/chat/a.b");
    server.post("a.b", "");
    server.get("/api/rooms/1/messages?last=0");
    org.awaitility.Awaitility.await()
        .until(() ->
            server.get("/metrics").body().contains("chatflow_connections_closed_total")
                && server.get("/metrics").body().contains("chatflow_log_lag_seconds"));
  }

  private static Map<String, String> pairs(Pattern pattern, String text) {
    Map<String, String> pairs = new TreeMap<>();
    pattern.matcher(text).results().forEach(m -> pairs.put(m.group(1), m.group(2)));
    return pairs;
  }
}
