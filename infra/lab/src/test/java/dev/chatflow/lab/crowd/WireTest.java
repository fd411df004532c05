package dev.chatflow.lab.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class WireTest {

  @Test
  void placeholdersAreReplacedInEveryProtocol() {
    for (String name : Wires.all().keySet()) {
      Wire wire = Wires.of(name).of(5, 1042, 100);
      assertThat(wire.path() + wire.greeting() + wire.answers() + wire.begin() + wire.end())
          .as(name)
          .contains("5")
          .doesNotContain("{room}", "{user}", "{bytes}");
    }
    assertThat(Wires.of("nats").of(5, 1042, 100).begin()).isEqualTo("PUB room.5 100\r\n");
    assertThat(Wires.of("chatflow").of(5, 1042, 100).begin()).contains("\"user1042\"");
  }

  @Test
  void textIsFoundAtAnyOffsetOfAFrame() {
    byte[] saying = Saying.of(0xbeef, 40);
    Saying.stamp(saying, 0, 70_000, Long.MAX_VALUE);
    byte[] frame =
        ("head:" + new String(saying, StandardCharsets.US_ASCII) + ":tail")
            .getBytes(StandardCharsets.US_ASCII);
    for (int guess : new int[] {0, 5, 500}) {
      assertThat(Saying.find(frame, 0, frame.length, guess)).isEqualTo(5);
    }
    assertThat(Saying.sender(frame, 5)).isEqualTo(0xbeef);
    assertThat(Saying.number(frame, 5)).isEqualTo(70_000);
    assertThat(Saying.due(frame, 5)).isEqualTo(Long.MAX_VALUE);
    assertThat(Saying.find(frame, 6, frame.length, 0)).isEqualTo(-1);
    Saying.stamp(saying, 0, Saying.HELLO, 0);
    assertThat(Saying.number(saying, 0)).isEqualTo(Saying.HELLO);
  }
}
