package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {

  private static ServerConfig config(Map<String, String> environment) throws ConfigException {
    return ServerConfig.of(environment, Map.of(), 1_700_000_000_000L);
  }

  @Test
  void defaultsAreThoseOfTheTable() throws ConfigException {
    ServerConfig config = config(Map.of());
    assertThat(config.identity().shards()).isEqualTo(4);
    assertThat(config.identity().serverId()).endsWith("-8080");
    assertThat(config.publish().lanePace()).isEqualTo(Duration.ofMillis(5));
    assertThat(config.publish().laneBytes()).isEqualTo(16L << 20);
    assertThat(config.publish().confirmTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.publish().channelPoolSize()).isEqualTo(20);
    assertThat(config.consumer().prefetch()).isEqualTo(64);
    assertThat(config.rooms().roomLogBytes()).isEqualTo(4L << 20);
    assertThat(config.rooms().totalLogBytes() * config.consumer().threads()).isEqualTo(64L << 20);
    assertThat(config.rooms().maxLagBytes()).isEqualTo(256 << 10);
    assertThat(config.rooms().sendDeadline()).isEqualTo(Duration.ofSeconds(15));
    assertThat(config.fanOut().maxPace()).isEqualTo(Duration.ofMillis(25));
    assertThat(config.edge().window()).isEqualTo(16);
    assertThat(config.edge().maxConnections()).isEqualTo(20_000);
    assertThat(config.edge().ratePerSecond()).isZero();
    assertThat(config.edge().heartbeat()).isEqualTo(Duration.ofSeconds(25));
    assertThat(config.drain().timeout()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void propertyWinsOverEnvironment() throws ConfigException {
    ServerConfig config =
        ServerConfig.of(
            Map.of("CHATFLOW_LANE_PACE", "10ms"), Map.of("chatflow.lane.pace", "20ms"), 1);
    assertThat(config.publish().lanePace()).isEqualTo(Duration.ofMillis(20));
  }

  @Test
  void unknownKeyIsRefusedAndForeignPrefixesAreNot() throws ConfigException {
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_LANE_PAC", "5ms")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("unknown key CHATFLOW_LANE_PAC")
        .hasMessageContaining("CHATFLOW_LANE_PACE");
    assertThat(config(Map.of("CHATFLOW_CLIENT_ROOMS", "5", "CHATFLOW_CONSUMER_THREADS", "2")))
        .isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "CHATFLOW_LANE_PACE, 5",
    "CHATFLOW_LANE_PACE, 2m",
    "CHATFLOW_ROOM_LOG_BYTES, 4MB",
    "CHATFLOW_SHARDS, 0",
    "CHATFLOW_SHARDS, four",
    "CHATFLOW_CONSUMER_THREADS, 5",
    "CHATFLOW_PORT, 70000",
    "CHATFLOW_METRICS_PUBLIC, yes",
    "CHATFLOW_SINK, fast",
    "CHATFLOW_SERVER_ID, a/b",
    "CHATFLOW_AMQP_URI, http://localhost",
    "CHATFLOW_RATE_LIMIT, 0",
    "CHATFLOW_TRUSTED_PROXIES, somewhere"
  })
  void wrongValueIsNamedWithItsKeyAndWhatIsAllowed(String key, String value) {
    assertThatThrownBy(() -> config(Map.of(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key + "=" + value + " is not ");
  }

  @Test
  void everythingWrongIsReportedAtOnce() {
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_SHARDS", "0", "CHATFLOW_PORT", "x")))
        .hasMessageContaining("CHATFLOW_SHARDS=0")
        .hasMessageContaining("CHATFLOW_PORT=x");
  }

  @Test
  void secretsAreMasked() throws ConfigException {
    ServerConfig config =
        config(Map.of("CHATFLOW_AMQP_URI", "amqp://chat:s3cret@broker:5672/chat"));
    assertThat(config.describe()).contains("amqp://chat:***@broker:5672/chat");
    assertThat(config.toString()).doesNotContain("s3cret");
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_AMQP_URI", "http://chat:s3cret@broker")))
        .message()
        .doesNotContain("s3cret");
  }

  @Test
  void documentationHasEveryKeyWithItsDefaultAndMeaning() throws IOException {
    List<String> rows =
        Files.readAllLines(Path.of("../docs/configuration.md")).stream()
            .takeWhile(line -> !line.startsWith("## The standalone consumer"))
            .filter(line -> line.startsWith("| `CHATFLOW_") && !line.contains("CLIENT_"))
            .toList();
    List<String> expected =
        List.of(ConfigKey.values()).stream()
            .map(key ->
                "| `%s` | %s | %s |"
                    .formatted(
                        key.environmentName(),
                        key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`",
                        key.meaning()))
            .toList();
    assertThat(rows).isEqualTo(expected);
  }

  @Test
  void exampleOfAnEnvironmentFileIsUsableWithAllItsSuggestions() throws Exception {
    Map<String, String> environment = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("../infra/tomcat/chatflow.env"))) {
      Matcher setting = Pattern.compile("#?(CHATFLOW_[A-Z_]+)=([^ \"'$]+)").matcher(line);
      if (setting.matches()) {
        environment.put(setting.group(1), setting.group(2));
      } else {
        assertThat(line).matches("|# .*");
      }
    }
    ServerConfig config = config(environment);
    assertThat(config.identity().serverId()).isEqualTo("server-1");
    assertThat(config.drain().delay()).isPositive();
  }
}
