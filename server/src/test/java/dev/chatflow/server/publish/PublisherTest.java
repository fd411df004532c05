package dev.chatflow.server.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.consumer.room.ShardLink;
import dev.chatflow.room.RoomId;
import dev.chatflow.room.Shard;
import dev.chatflow.server.publish.channel.CircuitState;
import dev.chatflow.server.vitals.Vitals;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A publisher whose broker is away: its connector never starts. */
class PublisherTest {

  private static final Drained NOBODY = () -> {};
  private static final PublishConfig CONFIG = config("server-1", 2, 1_000);

  private Publisher publisher;

  private static PublishConfig config(String serverId, int shards, long laneBytes) {
    return new PublishConfig(
        serverId, 1, shards, 20, Duration.ofMillis(5), laneBytes, Duration.ofSeconds(30), 5);
  }

  private static Publisher publisher(PublishConfig config, int links) throws Exception {
    BrokerConnector connector =
        new BrokerConnector(BrokerConfig.of(URI.create("amqp://127.0.0.1:1")), "publisher", "test");
    List<ShardLink> shardLinks =
        IntStream.range(0, links).mapToObj(i -> new ShardLink(new Shard(i))).toList();
    return new Publisher(config, connector, shardLinks, new NoMeter());
  }

  @BeforeEach
  void start() throws Exception {
    publisher = publisher(CONFIG, 2);
    publisher.start();
  }

  @AfterEach
  void close() {
    publisher.close();
  }

  @Test
  void acceptsWhatWasReadButNobodyNew() throws Exception {
    assertThat(publisher.circuit()).isEqualTo(CircuitState.OPEN);
    assertThat(publisher.acceptsNew(new RoomId("1"))).isFalse();
    assertThat(publisher.acceptsNew(new RoomId("1"))).isFalse();
    assertThat(publisher.offer(Lines.text("1", "a"), NOBODY)).isTrue();
    assertThat(publisher.lanes())
        .containsExactly(new Vitals.Lane(0, 0, 0), new Vitals.Lane(1, 1, 0));
    assertThat(publisher.awaitEmpty(Duration.ofMillis(20))).isFalse();
    assertThat(publisher.retryAfterMillis()).isBetween(1_000L, 2_000L);
  }

  @Test
  void aFullLaneSaysSoAndOthersDoNot() {
    assertThat(publisher.belowHighMark()).isTrue();
    assertThat(publisher.offer(Lines.ofBytes("1", 600), NOBODY)).isTrue();
    assertThat(publisher.belowHighMark()).isFalse();
    assertThat(publisher.offer(Lines.ofBytes("1", 600), NOBODY)).isFalse();
    assertThat(publisher.offer(Lines.ofBytes("2", 600), NOBODY)).isTrue();
  }

  @Test
  void isEmptyWhenNothingWasOffered() throws Exception {
    assertThat(publisher.awaitEmpty(Duration.ofSeconds(10))).isTrue();
    assertThat(publisher.channelsActive()).isZero();
    assertThat(publisher.channelsIdle()).isZero();
  }

  @Test
  void closesWithItsThreadsAlsoWithoutABroker() {
    publisher.offer(Lines.text("1", "a"), NOBODY);
    publisher.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("chat-lane-"));
  }

  @Test
  void wantsALinkForEachShard() {
    assertThatThrownBy(() -> publisher(CONFIG, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 shards, but 3 links");
  }

  @Test
  void configurationIsChecked() {
    assertThatThrownBy(() -> config("a/b", 2, 1)).hasMessageContaining("'a/b'");
    assertThatThrownBy(() -> config("", 2, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> config("a", 0, 1)).hasMessageContaining("shards");
    assertThatThrownBy(() -> config("a", 1, 0)).hasMessageContaining("lane bytes");
    assertThatThrownBy(
            () -> new PublishConfig("a", 1, 1, 0, Duration.ZERO, 1, Duration.ofSeconds(1), 5))
        .hasMessageContaining("channel pool size");
    assertThatThrownBy(() ->
            new PublishConfig("a", 1, 1, 1, Duration.ofMillis(-1), 1, Duration.ofSeconds(1), 5))
        .hasMessageContaining("lane pace");
    assertThatThrownBy(() -> new PublishConfig("a", 1, 1, 1, Duration.ZERO, 1, Duration.ZERO, 5))
        .hasMessageContaining("confirm timeout");
    assertThatThrownBy(
            () -> new PublishConfig("a", 1, 1, 1, Duration.ZERO, 1, Duration.ofSeconds(1), 0))
        .hasMessageContaining("failures to open");
  }
}
