package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.message.UserIds;
import dev.chatflow.room.Shard;
import dev.chatflow.support.ConfigException;
import dev.chatflow.support.ConfigSource;
import dev.chatflow.support.GeneratedPart;
import dev.chatflow.support.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerConfigTest {

  private static ServerConfig config(Map<String, String> environment) throws ConfigException {
    return config(environment, 2);
  }

  private static ServerConfig config(Map<String, String> environment, int cores)
      throws ConfigException {
    ConfigSource source = new ConfigSource(Map.of(), Map.of(), environment, Map.of());
    return ServerConfig.of(source, 1_700_000_000_000L, cores);
  }

  @Test
  void usersAreNumbersUnlessTheirIdsMayBeStrings() throws ConfigException {
    assertThat(config(Map.of()).edge().rules().userIds()).isEqualTo(UserIds.NUMBER);
    assertThat(config(Map.of("CHATFLOW_USER_ID", "string")).edge().rules().userIds())
        .isEqualTo(UserIds.STRING);
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_USER_ID", "uuid")))
        .hasMessageContaining("is not number or string");
  }

  @Test
  void defaultsAreThoseOfTheTable() throws ConfigException {
    ServerConfig config = config(Map.of());
    assertThat(config.identity().shards()).isEqualTo(Shard.DEFAULT_COUNT);
    assertThat(config.identity().serverId()).endsWith("-8080");
    assertThat(config.logs().publish().laneBytes()).isEqualTo(1L << 20);
    assertThat(config.logs().publish().confirmTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.logs().publish().channelPoolSize()).isEqualTo(20);
    assertThat(config.logs().publish().failuresToOpen()).isEqualTo(5);
    assertThat(config.logs().readers().prefetch()).isEqualTo(64);
    assertThat(config.delivery().rooms().roomLogBytes()).isEqualTo(4L << 20);
    assertThat(config.delivery().rooms().totalLogBytes() * config.logs().readerThreads())
        .isEqualTo(64L << 20);
    assertThat(config.delivery().rooms().maxLagBytes()).isEqualTo(256 << 10);
    assertThat(config.delivery().rooms().sendDeadline()).isEqualTo(Duration.ofSeconds(15));
    assertThat(config.delivery().fanOut().maxPace()).isEqualTo(Duration.ofMillis(25));
    assertThat(config.edge().window()).isEqualTo(16);
    assertThat(config.edge().maxConnections()).isEqualTo(20_000);
    assertThat(config.edge().ratePerSecond()).isZero();
    assertThat(config.edge().maxPerAddress()).isZero();
    assertThat(config.edge().joinTimeout()).isEqualTo(Duration.ofSeconds(45));
    assertThat(config.ports().tls()).isNull();
    assertThat(config.edge().heartbeat()).isEqualTo(Duration.ofSeconds(25));
    assertThat(config.drain().timeout()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void beyondLoopbackAnAccessSettingIsRequired() throws ConfigException {
    assertThat(config(Map.of()).edge().access().isOpen()).isTrue();
    Map<String, String> open = Map.of("CHATFLOW_ADDRESS", "0.0.0.0");
    assertThatThrownBy(() -> config(open))
        .hasMessage(
            "configuration: CHATFLOW_ADDRESS=0.0.0.0 opens the chat to the network: set CHATFLOW_TOKEN_KEYS, or"
                + " CHATFLOW_AUTH=none to let clients use any user id");
    Map<String, String> said = Map.of("CHATFLOW_ADDRESS", "0.0.0.0", "CHATFLOW_AUTH", "none");
    assertThat(config(said).edge().access().isOpen()).isTrue();
    Map<String, String> keys = Map.of("CHATFLOW_ADDRESS", "0.0.0.0", "CHATFLOW_TOKEN_KEYS", "/k");
    assertThat(config(keys).edge().access().files()).containsExactly(Path.of("/k"));
    assertThat(config(keys).effective().describe()).contains("CHATFLOW_AUTH=token");
  }

  @Test
  void tokenSettingsMustAgree() {
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_AUTH", "token")))
        .hasMessage("configuration: CHATFLOW_AUTH=token needs CHATFLOW_TOKEN_KEYS");
    assertThatThrownBy(
            () -> config(Map.of("CHATFLOW_AUTH", "none", "CHATFLOW_TOKEN_KEYS", "/keys")))
        .hasMessageContaining("remove CHATFLOW_TOKEN_KEYS");
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_TOKEN_AUDIENCE", "chat")))
        .hasMessageContaining("CHATFLOW_TOKEN_AUDIENCE needs CHATFLOW_TOKEN_KEYS");
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_DENIED_USERS", "/denied")))
        .hasMessageContaining("CHATFLOW_DENIED_USERS needs CHATFLOW_TOKEN_KEYS");
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_TOKEN_KEYS", "http://idp.example.com/k")))
        .hasMessageContaining("'http://idp.example.com/k' is not https");
  }

  /** Otherwise the operator has decided about access, with any name. */
  @Test
  void hostMustBeLoopbackOnlyWithoutAnAccessSetting() throws ConfigException {
    assertThat(config(Map.of()).edge().origins().local()).isTrue();
    assertThat(config(Map.of("CHATFLOW_AUTH", "none")).edge().origins().local()).isFalse();
    assertThat(config(Map.of("CHATFLOW_TOKEN_KEYS", "/k")).edge().origins().local()).isFalse();
  }

  @Test
  void propertyWinsOverEnvironment() throws ConfigException {
    ServerConfig config =
        ServerConfig.of(
            new ConfigSource(
                Map.of(),
                Map.of("chatflow.confirm.timeout", "20s"),
                Map.of("CHATFLOW_CONFIRM_TIMEOUT", "10s"),
                Map.of("CHATFLOW_CONFIRM_TIMEOUT", "30s")),
            1,
            2);
    assertThat(config.logs().publish().confirmTimeout()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void unknownKeyIsRefusedAndForeignPrefixesAreNot() throws ConfigException {
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_LANE_BYTE", "1MiB")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("configuration: unknown key CHATFLOW_LANE_BYTE (meant CHATFLOW_LANE_BYTES?)");
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_WEATHER_FORECAST", "sunny")))
        .hasMessageContaining(
            "unknown key CHATFLOW_WEATHER_FORECAST (every key: --print-effective)");
    assertThat(config(Map.of("CHATFLOW_CLIENT_ROOMS", "5", "CHATFLOW_READER_THREADS", "2")))
        .isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "CHATFLOW_CONFIRM_TIMEOUT, 5",
    "CHATFLOW_CONFIRM_TIMEOUT, 2w",
    "CHATFLOW_ROOM_LOG_BYTES, 4MB",
    "CHATFLOW_SHARDS, 0",
    "CHATFLOW_SHARDS, four",
    "CHATFLOW_READER_THREADS, 64",
    "CHATFLOW_PORT, 70000",
    "CHATFLOW_METRICS_PUBLIC, yes",
    "CHATFLOW_SINK, fast",
    "CHATFLOW_SERVER_ID, a/b",
    "CHATFLOW_AMQP_URI, http://localhost",
    "CHATFLOW_RATE_LIMIT, 0",
    "CHATFLOW_MAX_PER_ADDRESS, 0",
    "CHATFLOW_JOIN_TIMEOUT, 45",
    "CHATFLOW_TLS_CERTIFICATE, /nonexistent/certificate.pem",
    "CHATFLOW_AMQP_CA, /nonexistent/ca.pem",
    "CHATFLOW_TRUSTED_PROXIES, somewhere",
    "CHATFLOW_ORIGINS, somewhere"
  })
  void wrongValueIsNamedWithItsKeyAndTheAllowedValues(String key, String value) {
    assertThatThrownBy(() -> config(Map.of(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(key + "=" + value + " is not ");
  }

  @Test
  void certificateAndKeyGoTogether(@TempDir Path directory) throws Exception {
    String file = Files.writeString(directory.resolve("some.pem"), "").toString();
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_TLS_CERTIFICATE", file)))
        .hasMessageContaining("CHATFLOW_TLS_KEY= is not a file in PEM");
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_TLS_KEY", file)))
        .hasMessageContaining("CHATFLOW_TLS_CERTIFICATE= is not a file in PEM");
    assertThat(config(Map.of("CHATFLOW_TLS_CERTIFICATE", file, "CHATFLOW_TLS_KEY", file)))
        .extracting(config -> config.ports().tls())
        .isEqualTo(new Tls(Path.of(file), Path.of(file)));
  }

  @Test
  void authoritiesOfABrokerGoWithTls(@TempDir Path directory) throws Exception {
    String empty = Files.writeString(directory.resolve("ca.pem"), "").toString();
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_AMQP_CA", empty)))
        .hasMessageContaining("CHATFLOW_AMQP_CA=" + empty + " is not a file of certificates")
        .hasMessageContaining("no certificate in it");
  }

  @Test
  void everythingWrongIsReportedAtOnce() {
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_SHARDS", "0", "CHATFLOW_PORT", "x")))
        .hasMessageContaining("CHATFLOW_SHARDS=0")
        .hasMessageContaining("CHATFLOW_PORT=x");
  }

  @Test
  void manyShardsOnManyCoresStartByTheDefaults() throws ConfigException {
    ServerConfig config = config(Map.of("CHATFLOW_SHARDS", "32"), 32);
    assertThat(config.logs().readerThreads()).isEqualTo(16); // one room's log of 4 MiB each
    assertThat(config.delivery().rooms().totalLogBytes()).isEqualTo(4L << 20);
    assertThat(config.logs().publish().channelPoolSize()).isEqualTo(32);
    ServerConfig longer =
        config(Map.of("CHATFLOW_SHARDS", "32", "CHATFLOW_ROOM_LOG_BYTES", "16MiB"), 32);
    assertThat(longer.logs().readerThreads()).isEqualTo(4);
    ServerConfig more =
        config(Map.of("CHATFLOW_SHARDS", "32", "CHATFLOW_ROOM_LOG_TOTAL_BYTES", "256MiB"), 32);
    assertThat(more.logs().readerThreads()).isEqualTo(32);
  }

  @Test
  void tooManyThreadsForTheLogSpaceAreRefusedWithAdvice() {
    Map<String, String> environment =
        Map.of("CHATFLOW_SHARDS", "32", "CHATFLOW_READER_THREADS", "32");
    assertThatThrownBy(() -> config(environment, 32))
        .hasMessage(
            "configuration: CHATFLOW_ROOM_LOG_TOTAL_BYTES=64MiB is not enough: 32 reader threads"
                + " need one room's log each, 128MiB; or set CHATFLOW_READER_THREADS=16");
  }

  @Test
  void serverBoundToLoopbackServesThisMachine() throws ConfigException {
    assertThat(config(Map.of()).edge().origins().local()).isTrue();
    for (String address : List.of("localhost", "127.0.0.2", "::1")) {
      Map<String, String> environment = Map.of("CHATFLOW_ADDRESS", address);
      assertThat(config(environment).edge().origins().local()).as(address).isTrue();
    }
    for (String address : List.of("0.0.0.0", "192.0.2.1", "::")) {
      Map<String, String> environment =
          Map.of("CHATFLOW_ADDRESS", address, "CHATFLOW_AUTH", "none");
      assertThat(config(environment).edge().origins().local()).as(address).isFalse();
    }
  }

  /**
   * The admin listener's address was checked only at the start, which failed without naming the
   * key.
   */
  @ParameterizedTest
  @ValueSource(strings = {"CHATFLOW_ADDRESS", "CHATFLOW_ADMIN_ADDRESS"})
  void invalidAddressIsReportedWithItsKey(String key) {
    assertThatThrownBy(() -> config(Map.of(key, "1:2:3")))
        .hasMessage("configuration: " + key + "=1:2:3 is not an address of this machine");
  }

  @Test
  void failuresThatOpenTheCircuitAreAKey() throws ConfigException {
    ServerConfig config = config(Map.of("CHATFLOW_CIRCUIT_FAILURES", "7"));
    assertThat(config.logs().publish().failuresToOpen()).isEqualTo(7);
  }

  @Test
  void differencesFromTheDefaultsAreLogged() throws ConfigException {
    assertThat(config(Map.of("CHATFLOW_PORT", "8080")).effective().describeChanged())
        .isEqualTo("all keys have their defaults");
    Map<String, String> environment =
        Map.of("CHATFLOW_PORT", "8090", "CHATFLOW_AMQP_URI", "amqp://chat:s3cret@broker:5672");
    assertThat(config(environment).effective().describeChanged())
        .isEqualTo(
            "CHATFLOW_PORT=8090 CHATFLOW_AMQP_URI=amqp://chat:***@broker:5672,"
                + " all others have their defaults");
  }

  @Test
  void secretsAreMasked() throws ConfigException {
    ServerConfig config =
        config(Map.of("CHATFLOW_AMQP_URI", "amqp://chat:s3cret@broker:5672/chat"));
    assertThat(config.effective().describe()).contains("amqp://chat:***@broker:5672/chat");
    assertThat(config.toString()).doesNotContain("s3cret");
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_AMQP_URI", "http://chat:s3cret@broker")))
        .message()
        .doesNotContain("s3cret");
  }

  @Test
  void documentationHasEveryKeyWithItsDefaultRangeAndMeaning() throws IOException {
    List<String> lines =
        new ArrayList<>(List.of("| key | default | range | meaning |", "|---|---|---|---|"));
    for (ServerKey key : ServerKey.values()) {
      lines.add(
          "| `%s` | %s | %s | %s |"
              .formatted(
                  key.environmentName(),
                  key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`",
                  key.allowed().range(),
                  key.meaning().replace("|", "\\|")));
    }
    GeneratedPart.isCurrent("reference/configuration.md", "servers", lines);
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
    // files of the target machine
    List.of("CHATFLOW_TLS_CERTIFICATE", "CHATFLOW_TLS_KEY", "CHATFLOW_AMQP_CA")
        .forEach(file -> assertThat(environment.remove(file)).endsWith(".pem"));
    ServerConfig config = config(environment);
    assertThat(config.identity().serverId()).isEqualTo("server-1");
    assertThat(config.drain().delay()).isPositive();
  }
}
