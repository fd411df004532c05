package dev.chatflow.server.publish.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ReturnCallback;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.AMQImpl;
import dev.chatflow.room.Shard;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AmqpChannelTest {

  /** What the client library's channel does when a method of that name is called. */
  private interface Reaction {
    void run() throws IOException;
  }

  private final List<String> calls = new ArrayList<>();
  private Reaction onPublish = () -> {};
  private Reaction onBind = () -> {};
  private @Nullable ConfirmListener confirms;
  private @Nullable ReturnCallback returns;
  private @Nullable ShutdownListener shutdown;
  private AmqpChannel channel;

  @BeforeEach
  void open() throws Exception {
    Channel library =
        (Channel)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Channel.class},
                (_, method, arguments) -> call(method.getName(), arguments));
    channel =
        AmqpChannel.of(library, new AmqpChannel.Patience(Duration.ofMillis(200), () -> false));
  }

  private @Nullable Object call(String method, Object @Nullable [] arguments) throws IOException {
    calls.add(method);
    switch (method) {
      case "addConfirmListener" ->
          confirms = (ConfirmListener) Objects.requireNonNull(arguments)[0];
      case "addReturnListener" -> returns = (ReturnCallback) Objects.requireNonNull(arguments)[0];
      case "addShutdownListener" ->
          shutdown = (ShutdownListener) Objects.requireNonNull(arguments)[0];
      case "basicPublish" -> onPublish.run();
      case "queueBind" -> onBind.run();
      default -> {}
    }
    return switch (method) {
      case "getNextPublishSeqNo" -> 7L;
      case "isOpen" -> true;
      default -> null;
    };
  }

  @Test
  void listensBeforeItIsInConfirmMode() {
    assertThat(calls)
        .containsExactly(
            "addConfirmListener", "addReturnListener", "addShutdownListener", "confirmSelect");
  }

  @Test
  void anAckThatComesWhilePublishingIsSeen() throws Exception {
    onPublish = () -> confirms().handleAck(7, false);
    assertThat(channel.send(flight())).isEqualTo(new Confirm.Acked());
  }

  @Test
  void aNackIsSeen() throws Exception {
    onPublish = () -> confirms().handleNack(7, false);
    assertThat(channel.send(flight())).isEqualTo(new Confirm.Nacked());
  }

  @Test
  void aReturnIsKnownByItsMessageId() throws Exception {
    onPublish =
        () -> {
          returned("id-other");
          confirms().handleNack(7, false);
          returned("id-a");
        };
    assertThat(channel.send(flight())).isEqualTo(new Confirm.Returned("NO_ROUTE"));
  }

  @Test
  void aLateReturnDoesNotTouchTheNextFlight() throws Exception {
    onPublish = () -> confirms().handleAck(7, false);
    channel.send(flight());
    onPublish =
        () -> {
          returned("id-before");
          confirms().handleAck(7, false);
        };
    assertThat(channel.send(flight())).isEqualTo(new Confirm.Acked());
  }

  @Test
  void theEndOfTheChannelIsSeen() throws Exception {
    onPublish = () -> Objects.requireNonNull(shutdown).shutdownCompleted(closedBy(320));
    assertThat(channel.send(flight())).isInstanceOf(Confirm.Lost.class);
  }

  @Test
  void aMissingExchangeCountsAsReturned() throws Exception {
    onPublish = () -> Objects.requireNonNull(shutdown).shutdownCompleted(closedBy(404));
    assertThat(channel.send(flight())).isEqualTo(new Confirm.Returned("text 404"));
  }

  @Test
  void aPublishThatFailsIsLost() throws Exception {
    onPublish =
        () -> {
          throw new AlreadyClosedException(closedBy(320));
        };
    assertThat(channel.send(flight())).isInstanceOf(Confirm.Lost.class);
    onPublish =
        () -> {
          throw new IOException("broken pipe");
        };
    assertThat(channel.send(flight())).isEqualTo(new Confirm.Lost("broken pipe"));
  }

  @Test
  void noWordIsATimeout() throws Exception {
    assertThat(channel.send(flight())).isEqualTo(new Confirm.TimedOut());
  }

  @Test
  void bindingToAMissingQueueCountsAsReturned() {
    assertThat(channel.bind("own", new Shard(0))).isEqualTo(new Confirm.Acked());
    onBind =
        () -> {
          throw new IOException(closedBy(404));
        };
    assertThat(channel.bind("own", new Shard(0))).isEqualTo(new Confirm.Returned("text 404"));
    assertThat(channel.unbind("own", new Shard(0))).isEqualTo(new Confirm.Acked());
  }

  private void returned(String messageId) {
    Objects.requireNonNull(returns)
        .handle(
            new Return(
                312,
                "NO_ROUTE",
                "chat.exchange",
                "room.s0",
                new AMQP.BasicProperties.Builder().messageId(messageId).build(),
                new byte[0]));
  }

  private ConfirmListener confirms() {
    return Objects.requireNonNull(confirms);
  }

  private static ShutdownSignalException closedBy(int code) {
    Method close = new AMQImpl.Channel.Close(code, "text " + code, 0, 0);
    return new ShutdownSignalException(false, false, close, null);
  }

  private static Flight flight() {
    AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder().messageId("id-a").build();
    return new Flight(1, "room.s0", properties, new byte[] {'a'}, 1, 0, List.of());
  }
}
