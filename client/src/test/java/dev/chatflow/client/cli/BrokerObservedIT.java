package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.chatflow.client.fake.FakeServer;
import dev.chatflow.client.observe.BrokerAddress;
import dev.chatflow.client.observe.BrokerView;
import dev.chatflow.client.observe.Observing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Tests the observed queue depth and rates of a RabbitMQ given by its management URL. */
@EnabledIf(
    value = "isInstalled",
    disabledReason = "RabbitMQ is not installed (package rabbitmq-server)")
final class BrokerObservedIT {
  /** Relative to the module's directory, in which Maven runs the tests. */
  private static final String SCRIPT = "../infra/rabbitmq/test-broker";

  private static final Map<String, String> ADDRESSES = new HashMap<>();
  private static Path node = Path.of("");

  @TempDir Path directory;

  private final Terminal terminal = new Terminal();

  static boolean isInstalled() {
    return Stream.concat(
            Stream.of("/usr/lib/rabbitmq/bin"), Stream.of(System.getenv("PATH").split(":", -1)))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "rabbitmq-server")));
  }

  @BeforeAll
  static void startBroker() throws Exception {
    node = Files.createTempDirectory("chatflow-rabbitmq-");
    run("chmod", "755", node.toString()); // if root starts it, the node runs as user rabbitmq
    run(SCRIPT, "start", node + "/node")
        .lines()
        .map(line -> line.split("=", 2))
        .forEach(line -> ADDRESSES.put(line[0], line[1]));
  }

  @AfterAll
  static void stopBroker() throws Exception {
    run(SCRIPT, "kill", node + "/node"); // its data is deleted
    run("rm", "-rf", node.toString());
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void depthIsReadOverAmqpAndExclusiveQueuesOverTheApi() throws Exception {
    try (Connection connection = connect();
        FakeServer server = FakeServer.start()) {
      Channel channel = connection.createChannel();
      String queue = "depth-" + System.nanoTime();
      String exclusive = queue + "-own";
      channel.queueDeclare(queue, false, false, true, Map.of());
      channel.queueDeclare(exclusive, false, true, true, Map.of());
      String stream = queue + "-log";
      channel.queueDeclare(stream, true, false, false, Map.of("x-queue-type", "stream"));
      for (int i = 0; i < 1_500; i++) {
        channel.basicPublish("", queue, null, new byte[10]);
        channel.basicPublish("", stream, null, new byte[10]);
      }
      Path out = directory.resolve("one");
      int code =
          terminal.run(
              "-q",
              "-r",
              "1",
              "-u",
              "3",
              "-w",
              "1",
              "-d",
              "1s",
              "--every",
              "100ms",
              "--broker",
              address("management"),
              "--queues",
              queue + ".*",
              "--slo",
              "queue.end==0",
              "--out",
              out.toString(),
              server.url());
      assertThat(code).as(terminal.out() + terminal.err()).isEqualTo(3);
      assertThat(terminal.out())
          .contains("queue peak 1,500, queue mean 1,500.0, queue at the end 1,500")
          .contains("queue.peak < 1000 MISSED (1,500)", "queue.end == 0 MISSED (1,500)")
          .contains("seconds late: " + exclusive)
          .doesNotContain("not observed");
      assertThat(Files.readString(out.resolve("broker.csv"))).contains(",1500\n");
      assertThat(Files.readString(out.resolve("broker-rates.csv")))
          .startsWith("seconds,publishPerSecond,");
      JsonObject broker =
          JsonParser.parseString(Files.readString(out.resolve("summary.json")))
              .getAsJsonObject()
              .getAsJsonObject("observed")
              .getAsJsonObject("broker");
      assertThat(broker.get("queuePeak").getAsDouble()).isEqualTo(1_500);
      channel.queueDelete(queue);
      channel.queueDelete(stream);
    }
  }

  /** The wait for the API's lag does not count towards the time that queues have to drain. */
  @Test
  void queuesHaveTheirFullTimeToDrainAfterTheLagOfTheApi() throws Exception {
    try (Connection connection = connect()) {
      Channel channel = connection.createChannel();
      String queue = "settle-" + System.nanoTime();
      channel.queueDeclare(queue, false, false, true, Map.of());
      channel.basicPublish("", queue, null, new byte[10]);
      await().until(() -> channel.messageCount(queue) == 1);
      Observing.Broker target =
          new Observing.Broker(BrokerAddress.parse(address("management")), Pattern.compile(queue));
      AtomicInteger readings = new AtomicInteger();
      List<String> complaints = new ArrayList<>();
      // the API's lag takes 20 s of this clock; a reading during the later wait purges the queue
      DoubleSupplier seconds =
          () -> readings.incrementAndGet() == 1 ? 0 : purgeAtSixth(channel, queue, readings);
      try (BrokerView watch = BrokerView.of(target, null, seconds, complaints::add)) {
        assertThat(watch.settle(Duration.ofSeconds(10))).as("left; %s", complaints).isZero();
      }
      channel.queueDelete(queue);
    }
  }

  private static double purgeAtSixth(Channel channel, String queue, AtomicInteger readings) {
    try {
      if (readings.get() == 6) {
        channel.queuePurge(queue);
      }
      return 20;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Connection connect() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(address("amqp"));
    return factory.newConnection();
  }

  private static String address(String name) {
    return Objects.requireNonNull(ADDRESSES.get(name));
  }
}
