package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.support.ConfigSource;
import dev.chatflow.support.GeneratedPart;
import dev.chatflow.support.TestCertificate;
import dev.chatflow.support.Tls;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandaloneConfigTest {

  private static StandaloneConfig config(Map<String, String> environment) throws Exception {
    return StandaloneConfig.of(new ConfigSource(Map.of(), Map.of(), environment, Map.of()));
  }

  @Test
  void defaultsAreUsable() throws Exception {
    StandaloneConfig config = config(Map.of());
    assertThat(config.store()).isEqualTo("sqlite:chatflow-record.db");
    assertThat(config.readers().prefetch()).isEqualTo(64);
    assertThat(config.listen().getAddress().isLoopbackAddress()).isTrue();
  }

  @Test
  void beyondLoopbackRequestsNeedATokenUnlessConfiguredOtherwise() throws Exception {
    assertThat(config(Map.of()).access().isOpen()).isTrue();
    String open = "CHATFLOW_CONSUMER_ADDRESS";
    assertThatThrownBy(() -> config(Map.of(open, "0.0.0.0")))
        .hasMessageContaining("opens the chat to the network: set CHATFLOW_TOKEN_KEYS");
    assertThat(config(Map.of(open, "0.0.0.0", "CHATFLOW_AUTH", "none")).access().isOpen()).isTrue();
    assertThat(config(Map.of(open, "0.0.0.0", "CHATFLOW_TOKEN_KEYS", "/k")).access().files())
        .hasSize(1);
  }

  @Test
  void consumerWithACertificateIsAskedByHttps() throws Exception {
    Tls tls = TestCertificate.shared();
    Map<String, String> settings = new HashMap<>();
    settings.put("CHATFLOW_AMQP_URI", "amqp://localhost:1"); // no broker listens there
    settings.put("CHATFLOW_CONSUMER_PORT", "0");
    settings.put("CHATFLOW_TLS_CERTIFICATE", tls.certificate().toString());
    assertThatThrownBy(() -> config(settings)).hasMessageContaining("CHATFLOW_TLS_KEY= is not ");
    settings.put("CHATFLOW_TLS_KEY", tls.key().toString());
    settings.put("CHATFLOW_CONSUMER_STORE", "memory");
    try (StandaloneConsumer consumer = new StandaloneConsumer(config(settings), true, "test")) {
      consumer.start();
      assertThat(consumer.url()).hasScheme("https");
    }
  }

  @Test
  void anOptionWinsOverAPropertyAndThatOverTheEnvironment() throws Exception {
    Map<String, String> environment =
        Map.of(
            "CHATFLOW_CONSUMER_PORT", "1",
            "CHATFLOW_CONSUMER_ADDRESS", "127.0.0.1",
            "CHATFLOW_CONSUMER_PREFETCH", "1");
    Map<String, String> properties =
        Map.of("chatflow.consumer.port", "2", "chatflow.consumer.address", "127.0.0.2");
    StandaloneConfig config =
        StandaloneConfig.of(
            new ConfigSource(
                Map.of("CHATFLOW_CONSUMER_PORT", "3"), properties, environment, Map.of()));
    assertThat(config.listen().getPort()).isEqualTo(3);
    assertThat(config.listen().getAddress().getHostAddress()).isEqualTo("127.0.0.2");
    assertThat(config.readers().prefetch()).isEqualTo(1);
  }

  @Test
  void everythingThatIsWrongIsNamedAtOnce() {
    assertThatThrownBy(() ->
            config(
                Map.of(
                    "CHATFLOW_CONSUMER_PREFETCH", "0",
                    "CHATFLOW_CONSUMER_STORE", "oracle:x",
                    "CHATFLOW_CONSUMER_COLOR", "red",
                    "CHATFLOW_CONSUMER_PROT", "80",
                    "CHATFLOW_AMQP_URI", "http://user:secret@host")))
        .hasMessageContainingAll(
            "CHATFLOW_CONSUMER_PREFETCH=0 is not a whole number from 1 to 1000",
            "CHATFLOW_CONSUMER_STORE=oracle:x is not sqlite:PATH",
            "unknown key CHATFLOW_CONSUMER_COLOR (every key: --print-effective)",
            "unknown key CHATFLOW_CONSUMER_PROT (meant CHATFLOW_CONSUMER_PORT?)",
            "CHATFLOW_AMQP_URI=http://***@host is not amqp://")
        .hasMessageNotContaining("secret");
  }

  @Test
  void keysOfTheServerAreIgnored() throws Exception {
    config(Map.of("CHATFLOW_LANE_BYTES", "1MiB", "CHATFLOW_READER_THREADS", "2"));
  }

  @Test
  void aMisspeltKeyThatItSharesWithServersIsNoticed() {
    assertThatThrownBy(() -> config(Map.of("CHATFLOW_AMPQ_URI", "amqp://host")))
        .hasMessageContaining("unknown key CHATFLOW_AMPQ_URI (meant CHATFLOW_AMQP_URI?)");
  }

  @Test
  void noKeyOfTheServersIsTakenForAMisspeltOne() throws Exception {
    String documented = Files.readString(Path.of("../docs/reference/configuration.md"));
    Map<String, String> servers = new HashMap<>();
    documented
        .substring(0, documented.indexOf("## The standalone consumer"))
        .lines()
        .filter(line -> line.startsWith("| `CHATFLOW_"))
        .forEach(line -> servers.put(line.split("`", 3)[1], "any"));
    servers.remove("CHATFLOW_CONFIG");
    assertThat(servers).hasSizeGreaterThan(40);
    assertThatThrownBy(() -> config(servers)).hasMessageNotContaining("unknown key");
  }

  @Test
  void itsOwnTemplateIsAFileThatItTakes(@TempDir Path directory) throws Exception {
    Outcome generated = run("--generate-config");
    assertThat(generated.status()).isZero();
    assertThat(generated.out())
        .contains("\n# 0 to 65535; default 8082\n#CHATFLOW_CONSUMER_PORT=8082\n");
    Path file = directory.resolve("consumer.properties");
    Files.writeString(file, generated.out() + "CHATFLOW_CONSUMER_PORT=8090\nCHATFLOW_PORT=1\n");
    Outcome effective = run("--config", file.toString(), "--print-effective");
    assertThat(effective.err()).isEmpty();
    assertThat(effective.out()).contains("CHATFLOW_CONSUMER_PORT=8090\n");
    Outcome option = run("--config", file.toString(), "--port", "8091", "--print-effective");
    assertThat(option.out()).contains("CHATFLOW_CONSUMER_PORT=8091\n");
  }

  @Test
  void everyKeyIsDocumented() throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of("| key | option | default | range | meaning |", "|---|---|---|---|---|"));
    for (StandaloneKey key : StandaloneKey.values()) {
      lines.add(
          "| `%s` | `%s` | %s | %s | %s |"
              .formatted(
                  key.environmentName(),
                  key.option(),
                  key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`",
                  key.allowed().range(),
                  key.meaning()));
    }
    GeneratedPart.isCurrent("reference/configuration.md", "consumer", lines);
  }

  private record Outcome(int status, String out, String err) {}

  private static Outcome run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    StandaloneMain main = new StandaloneMain(new PrintStream(out), new PrintStream(err));
    int status = main.run(arguments);
    return new Outcome(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void checkReportsWhetherItCanBeUsed() {
    assertThat(run("--check")).isEqualTo(new Outcome(0, "configuration ok\n", ""));
    Outcome wrong = run("--check", "--prefetch=0");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err())
        .startsWith("chatflow: configuration: CHATFLOW_CONSUMER_PREFETCH=0 is not")
        .hasLineCount(1);
  }

  @Test
  void printEffectiveHidesThePassword() {
    Outcome printed = run("--print-effective", "--broker", "amqp://user:secret@host:5672");
    assertThat(printed.err()).contains("the password in --broker", "CHATFLOW_AMQP_URI");
    assertThat(printed.out())
        .contains("CHATFLOW_AMQP_URI=amqp://user:***@host:5672\n", "CHATFLOW_CONSUMER_PORT=8082\n")
        .doesNotContain("secret");
    assertThat(printed.out()).hasLineCount(StandaloneKey.values().length);
  }

  @Test
  void exampleOfAnEnvironmentFileIsUsableWithAllItsSuggestions() throws Exception {
    Map<String, String> environment = new HashMap<>();
    for (String line : Files.readAllLines(Path.of("../infra/systemd/consumer.env"))) {
      Matcher setting = Pattern.compile("#?([A-Z_]+)=([^ \"'$&]+)").matcher(line);
      if (setting.matches()) {
        environment.put(setting.group(1), setting.group(2));
      } else {
        assertThat(line).matches("|# .*");
      }
    }
    assertThat(environment.remove("CONSUMER_OPTS")).startsWith("-Xmx"); // from the systemd unit
    assertThat(environment.remove("PGPASSFILE")).endsWith(".pgpass"); // the database driver's
    assertThat(environment.keySet())
        .isSubsetOf(Stream.of(StandaloneKey.values()).map(StandaloneKey::environmentName).toList());
    assertThat(config(environment).broker().maskedUri())
        .isEqualTo("amqp://consumer:***@broker.internal:5672");
  }

  @Test
  void usageIsExplained() {
    assertThat(run("--help").out())
        .contains("--token-keys", "CHATFLOW_TOKEN_KEYS")
        .doesNotContain("default )");
    assertThat(run("--prot", "80").err())
        .startsWith("chatflow: Unknown options: '--prot', '80' (see --help)\n");
    assertThat(run("--version").out()).startsWith("chatflow-consumer ");
    assertThat(run("compare", "--help").out()).contains("SENDERS.CSV");
    assertThat(run("--port").status()).isEqualTo(2);
    assertThat(run("compare").status()).isEqualTo(2);
    assertThat(run("compare", "/nowhere/senders.csv").status()).isEqualTo(1);
  }
}
