package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.chatflow.chat.link.Frames;
import dev.chatflow.chat.link.Servers;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests a client that knows several servers. */
class ServersTest {

  private static final URI A = URI.create("http://a/");
  private static final URI B = URI.create("https://b/team/");

  private final Servers servers = new Servers(List.of(A, B));
  private final Scene scene = new Scene(servers);

  private void fails(int code) {
    int attempts = scene.net.lines.size();
    scene.line().ends(code, "");
    for (int waited = 0; waited < 60_000 && scene.net.lines.size() == attempts; waited += 50) {
      scene.loop.pass(50);
    }
  }

  private List<String> hosts() {
    return scene.net.lines.stream().map(line -> line.address.getHost()).toList();
  }

  @Test
  void serverThatCannotBeReachedIsFollowedByTheNextInTurn() {
    scene.room.enter();
    fails(0);
    fails(1006);
    fails(1012);
    assertThat(hosts()).containsExactly("a", "b", "a", "b");
    assertThat(scene.line().address).hasToString("wss://b/team/chat/5");
    scene.acceptJoin();
    assertThat(servers.current()).isEqualTo(B);
  }

  @Test
  void lostConnectionIsAttemptedAtTheSameServerFirst() {
    scene.enter();
    fails(1006);
    fails(1006);
    assertThat(hosts()).containsExactly("a", "a", "b");
  }

  @Test
  void serverThatStopsOrIsFullIsLeftAtOnceAndTheRoomResumesAtTheNext() {
    scene.enter();
    scene.line().serverSends(scene.text("last"));
    fails(1001);
    var join = scene.acceptJoin(scene.text("last"));
    assertThat(Frames.text(join.getAsJsonObject("after"), "messageId")).isEqualTo("c-last");
    fails(1013);
    assertThat(hosts()).containsExactly("a", "b", "a");
  }

  @Test
  void otherReasonsChangeNoServer() {
    scene.enter();
    for (int code : List.of(1012, 4003, 4008, 4010)) {
      fails(code);
      scene.acceptJoin();
    }
    assertThat(hosts()).containsOnly("a").hasSize(5);
  }

  @Test
  void waitsGrowOnlyAfterEachServerFailedOnce() {
    scene.room.enter();
    for (int i = 0; i < 5; i++) {
      fails(1006);
    }
    assertThat(scene.events)
        .filteredOn(event -> event.startsWith("waiting"))
        .extracting(event -> event.replaceAll("waiting (.*):.*", "$1"))
        .containsExactly("375", "375", "750", "750", "1500");
  }

  @Test
  void roomsThatLoseTheSameServerMoveOnTogether() {
    servers.failed(A);
    servers.failed(A);
    assertThat(servers.current()).isEqualTo(B);
  }

  @Test
  void eachAddressIsChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChatFlow.to(A, URI.create("ws://b/")))
        .withMessageContaining("found ws://b/");
  }
}
