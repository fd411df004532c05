package dev.chatflow.client.engine.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.plan.Target;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EndpointsTest {
  private static final Target TARGET =
      new Target(List.of("ws://127.0.0.1:1001/chat", "ws://127.0.0.1:1002/chat"));

  @Test
  void usersConnectToTheServerTheyAskFor() {
    assertThat(ports(new Endpoints(TARGET))).containsExactly(1001, 1002, 1001, 1002, 1001, 1002);
  }

  @Test
  void wholeRoomsConnectToTheServerTheyAskFor() {
    assertThat(ports(new Endpoints(TARGET.byRoom(2))))
        .containsExactly(1001, 1001, 1002, 1002, 1001, 1001);
  }

  private static List<Integer> ports(Endpoints endpoints) {
    return IntStream.range(0, 6)
        .mapToObj(user -> {
          int port = endpoints.addressOf(user).getPort();
          assertThat(endpoints.uriOf(user, 1).getPort()).isEqualTo(port);
          return port;
        })
        .toList();
  }
}
