package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.broker.embedded.EmbeddedBroker;
import dev.chatflow.support.GeneratedPart;
import dev.chatflow.support.MeterTable;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The names of the meters are a contract: dashboards and alerts use them. */
class MetricsIT {

  @Test
  void scrapeHasExactlyTheDocumentedMeters() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestServer server =
            TestServer.start(broker.uri(), "metrics", Map.of("CHATFLOW_METRICS_PUBLIC", "true"))) {
      refuseOne(server);
      String text = server.get("/metrics").body();
      GeneratedPart.isCurrent("reference/metrics.md", "meters", MeterTable.of(text));
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
}
