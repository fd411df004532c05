package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.plan.Target;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EndpointsTest {
  private static final Target TARGET =
      new Target(List.of("ws://127.0.0.1:1001/chat", "ws://127.0.0.1:1002/chat"));

  @Test
  void usersAreAssignedToServersInTurn() {
    assertThat(ports(TARGET)).containsExactly(1001, 1002, 1001, 1002, 1001, 1002);
  }

  @Test
  void roomsAreAssignedToServersInTurn() {
    assertThat(ports(TARGET.byRoom(2))).containsExactly(1001, 1001, 1002, 1002, 1001, 1001);
  }

  @Test
  void unknownHostIsNamed() {
    Target target = new Target(List.of("ws://no-such-host.invalid/chat"));
    assertThatThrownBy(() -> new Endpoints(target))
        .hasMessage("host not found: no-such-host.invalid");
  }

  private static List<Integer> ports(Target target) {
    Endpoints endpoints = new Endpoints(target);
    return IntStream.range(0, 6)
        .map(target::serverOf)
        .mapToObj(server -> {
          int port = endpoints.addressOf(server).getPort();
          assertThat(endpoints.uriOf(server, 1).getPort()).isEqualTo(port);
          return port;
        })
        .toList();
  }
}
