package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.identity.Access;
import dev.chatflow.identity.AccessConfig;
import dev.chatflow.identity.Issuer;
import dev.chatflow.identity.TokenVerdict;
import dev.chatflow.room.CloseReason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatConnectionAccessTest extends ConnectionScene {

  private static final Issuer ISSUER = Issuer.hs256("0123456789abcdef0123456789abcdef");
  private static final Issuer NEXT = Issuer.es256();
  private static final long LEEWAY_MILLIS = 30_000;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Access access;

  private long nowMillis = System.currentTimeMillis();

  @BeforeEach
  void readKeys() throws Exception {
    Path keys = ISSUER.writeKey(folder.resolve("keys"));
    Path denied = Files.writeString(folder.resolve("denied"), "13\n");
    access = Access.of(AccessConfig.parse(keys.toString(), denied.toString()), "test-");
  }

  @AfterEach
  void close() {
    access.close();
  }

  private ChatConnection connection(String user, int rate) {
    String token = ISSUER.token(user, Duration.ofMinutes(1), "*");
    var known = (TokenVerdict.Known) access.judge(token, nowMillis);
    Gate gate = TestEdge.gate(access, () -> nowMillis);
    return connection(4, rate, gate, new Gate.Visitor("192.0.2.1", null, known.identity()));
  }

  @Test
  void userMayJoinAsHimselfOnly() {
    ChatConnection connection = connection("17", 0);
    connection.inbound().receive(JOIN);
    assertThat(lanes.text(0)).contains("\"userId\":\"17\"");
    ChatConnection other = connection("18", 0);
    other.inbound().receive(JOIN);
    assertThat(answer(0)).contains("FORBIDDEN", "for user 18, not for 17");
    assertThat(answer(1)).startsWith("close 4001");
    assertThat(meter.refused).containsEntry("FORBIDDEN", 1);
  }

  @Test
  void serviceJoinsAsAnyUserExceptDeniedOnes() {
    ChatConnection connection = connection("*", 0);
    connection.inbound().receive(frame("JOIN", 13, "user13", ""));
    assertThat(answer(0)).contains("FORBIDDEN", "user 13 has no access any more");
    assertThat(answer(1)).startsWith("close 4001");
  }

  @Test
  void serviceHasNoRate() {
    ChatConnection connection = connection("*", 1);
    connection.inbound().receive(JOIN);
    connection.inbound().receive(TEXT);
    connection.inbound().receive(TEXT);
    assertThat(meter.refused).isEmpty();
    ChatConnection user = connection("17", 1);
    user.inbound().receive(JOIN);
    user.inbound().receive(TEXT);
    assertThat(meter.refused).containsEntry("RATE_LIMITED", 1);
  }

  @Test
  void expiryEndsConnectionsThatAreRead() {
    ChatConnection connection = connection("17", 0);
    connection.judgeAccess();
    assertThat(wire.sent()).isEmpty();
    nowMillis += Duration.ofMinutes(1).toMillis() + LEEWAY_MILLIS;
    connection.deliveries().pauseWhileBehind(true);
    connection.judgeAccess();
    assertThat(wire.sent()).as("one that is not read is judged later").isEmpty();
    connection.deliveries().pauseWhileBehind(false);
    connection.judgeAccess();
    assertThat(answer(0)).startsWith("close 4002");
  }

  @Test
  void removedKeyEndsOnlyTheConnectionsItVerified() throws Exception {
    ChatConnection connection = connection("17", 0);
    Gate anotherKey = gateOf(NEXT);
    Gate bothKeys = gateOf(ISSUER, NEXT);
    assertThat(bothKeys.ended(connection.visitor.identity(), "17")).isNull();
    assertThat(anotherKey.ended(connection.visitor.identity(), "17"))
        .isEqualTo(CloseReason.NO_ACCESS);
  }

  private Gate gateOf(Issuer... issuers) throws Exception {
    List<String> files = new ArrayList<>();
    for (Issuer issuer : issuers) {
      files.add(issuer.writeKey(folder.resolve("key-" + files.size())).toString());
    }
    try (Access other = Access.of(AccessConfig.parse(String.join(",", files), ""), "test-")) {
      return TestEdge.gate(other, () -> nowMillis);
    }
  }

  @Test
  void userIsFoundByTokenOrJoin() {
    ChatConnection connection = connection("17", 0);
    assertThat(connection.isOf("17")).isTrue();
    ChatConnection service = connection("*", 0);
    assertThat(service.isOf("17")).isFalse();
    service.inbound().receive(JOIN);
    assertThat(service.isOf("17")).isTrue();
    assertThat(service.isOf("*")).isFalse();
  }
}
