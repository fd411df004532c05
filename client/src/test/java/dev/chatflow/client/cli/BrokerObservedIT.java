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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Queue depth and rates of a RabbitMQ named by its management URL. */
@EnabledIfEnvironmentVariable(
    named = "CHATFLOW_TEST_RABBITMQ",
    matches = "http.+",
    disabledReason = "needs a RabbitMQ: its management URL in CHATFLOW_TEST_RABBITMQ")
final class BrokerObservedIT {
  private static final String MANAGEMENT =
      String.valueOf(System.getenv("CHATFLOW_TEST_RABBITMQ")).split(",", -1)[0];

  @TempDir Path directory;

  private final Terminal terminal = new Terminal();

  @Test
  void depthIsSeenByAmqpAndQueuesOfOthersByTheApi() throws Exception {
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
              MANAGEMENT,
              "--queues",
              queue + ".*",
              "--slo",
              "queue.end==0",
              "--out",
              out.toString(),
              server.url());
      assertThat(code).as(terminal.out() + terminal.err()).isEqualTo(3);
      assertThat(terminal.out())
          .contains("queue peak 1,500, queue mean 1,500.0, queue after the run 1,500")
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

  /** The API's lag is waited for first, and does not shorten the time queues have to run empty. */
  @Test
  void queuesGetTheirWholeTimeAfterTheLagOfTheApi() throws Exception {
    try (Connection connection = connect()) {
      Channel channel = connection.createChannel();
      String queue = "settle-" + System.nanoTime();
      channel.queueDeclare(queue, false, false, true, Map.of());
      channel.basicPublish("", queue, null, new byte[10]);
      await().until(() -> channel.messageCount(queue) == 1);
      Observing.Broker target =
          new Observing.Broker(BrokerAddress.parse(MANAGEMENT), Pattern.compile(queue));
      AtomicInteger asked = new AtomicInteger();
      List<String> complaints = new ArrayList<>();
      // the API says nothing for 20 s; then the queue is emptied as soon as somebody waits for it
      DoubleSupplier seconds =
          () -> asked.incrementAndGet() == 1 ? 0 : emptied(channel, queue, asked);
      try (BrokerView watch = BrokerView.of(target, null, seconds, complaints::add)) {
        assertThat(watch.settle(Duration.ofSeconds(10))).as("left; %s", complaints).isZero();
      }
      channel.queueDelete(queue);
    }
  }

  private static double emptied(Channel channel, String queue, AtomicInteger asked) {
    try {
      if (asked.get() == 6) {
        channel.queuePurge(queue);
      }
      return 20;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Connection connect() throws Exception {
    URI management = URI.create(MANAGEMENT);
    String user = management.getUserInfo();
    URI bare = new URI("http", null, management.getHost(), management.getPort(), null, null, null);
    HttpRequest question =
        HttpRequest.newBuilder(URI.create(bare + "/api/overview"))
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)))
            .build();
    ConnectionFactory factory = new ConnectionFactory();
    try (HttpClient http = HttpClient.newHttpClient()) {
      String answer = http.send(question, HttpResponse.BodyHandlers.ofString()).body();
      JsonParser.parseString(answer).getAsJsonObject().getAsJsonArray("listeners").asList().stream()
          .map(listener -> listener.getAsJsonObject())
          .filter(listener -> listener.get("protocol").getAsString().equals("amqp"))
          .forEach(listener -> factory.setPort(listener.get("port").getAsInt()));
    }
    factory.setHost(management.getHost());
    factory.setUsername(user.split(":", -1)[0]);
    factory.setPassword(user.split(":", -1)[1]);
    return factory.newConnection();
  }
}
