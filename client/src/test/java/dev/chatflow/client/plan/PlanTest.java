package dev.chatflow.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.CommandFailure;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PlanTest {
  @Test
  void roomIsAppendedOrReplacesThePlaceholder() {
    Target target = new Target(List.of("ws://a:1/chat", "ws://b/app/chat/", "ws://c/x/{room}/y"));
    assertThat(target.uriOfServer(target.serverOf(0), 7)).hasToString("ws://a:1/chat/7");
    assertThat(target.uriOfServer(target.serverOf(1), 7)).hasToString("ws://b/app/chat/7");
    assertThat(target.uriOfServer(target.serverOf(2), 7)).hasToString("ws://c/x/7/y");
    assertThat(target.uriOfServer(target.serverOf(3), 7)).hasToString("ws://a:1/chat/7");
  }

  @Test
  void usersOrWholeRoomsAreAssignedToServersInTurn() {
    Target users = new Target(List.of("ws://a/chat", "ws://b/chat"));
    assertThat(IntStream.range(0, 6).map(users::serverOf)).containsExactly(0, 1, 0, 1, 0, 1);
    assertThat(IntStream.range(0, 6).map(users.byRoom(2)::serverOf))
        .containsExactly(0, 0, 1, 1, 0, 0);
  }

  @Test
  void pagesKeepTheContextPath() {
    Target target = new Target(List.of("ws://a:1/chat", "ws://b/app/chat"));
    assertThat(target.pageOf(0, "/health")).hasToString("http://a:1/health");
    assertThat(target.pageOf(1, "/health")).hasToString("http://b/app/health");
  }

  @Test
  void malformedTargetsAreRefused() {
    assertThatThrownBy(() -> new Target(List.of())).isInstanceOf(CommandFailure.class);
    assertThatThrownBy(() -> new Target(List.of("http://a/chat"))).hasMessageContaining("ws://");
    assertThatThrownBy(() -> new Target(List.of("ws:///chat"))).hasMessageContaining("host");
    assertThatThrownBy(() -> new Target(List.of("ws://a b/chat")))
        .hasMessageContaining("malformed");
  }

  @Test
  void valuesOutOfRangeNameOptionRangeAndValue() {
    assertThatThrownBy(() -> new Workload(0, 1, 1, 0, Duration.ZERO, Duration.ZERO))
        .hasMessage("--rooms must be from 1 to 100000, found 0");
    assertThatThrownBy(() -> new Workload(1, 1, 1, 39, Duration.ZERO, Duration.ZERO))
        .hasMessage("--msg-size must be from 40 to 500, found 39");
    assertThatThrownBy(() -> Pacing.closed(0)).hasMessageContaining("--in-flight");
    assertThatThrownBy(() -> Pacing.open(0, 1, false)).hasMessageContaining("--rate");
    assertThatThrownBy(() -> connecting(1025, 1)).hasMessageContaining("--threads");
    assertThatThrownBy(() -> connecting(1, 0)).hasMessageContaining("--connect-rate");
  }

  @Test
  void backoffDoublesToItsMaximumWithHalfAsJitter() {
    Connecting connecting = connecting(1, 1);
    assertThat(connecting.backoffNanos(1, 1)).isEqualTo(50_000_000);
    assertThat(connecting.backoffNanos(2, 1)).isEqualTo(100_000_000);
    assertThat(connecting.backoffNanos(2, 0)).isEqualTo(50_000_000);
    assertThat(connecting.backoffNanos(30, 1)).isEqualTo(2_000_000_000);
  }

  private static Connecting connecting(int threads, double rate) {
    return new Connecting(
        threads,
        rate,
        5,
        Duration.ofMillis(50),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10),
        0,
        false,
        0);
  }
}
