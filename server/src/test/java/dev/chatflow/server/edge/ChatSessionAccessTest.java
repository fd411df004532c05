package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.identity.Access;
import dev.chatflow.identity.AccessConfig;
import dev.chatflow.identity.Issuer;
import dev.chatflow.identity.Verdict;
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

class ChatSessionAccessTest extends SessionScene {

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

  private ChatSession session(String user, int rate) {
    String token = ISSUER.token(user, Duration.ofMinutes(1), "*");
    var known = (Verdict.Known) access.judge(token, nowMillis);
    Gate gate = TestEdge.gate(access, () -> nowMillis);
    return session(4, rate, gate, new Gate.Visitor("192.0.2.1", null, known.identity()));
  }

  @Test
  void userMayJoinAsHimselfOnly() {
    ChatSession session = session("17", 0);
    session.receive(JOIN);
    assertThat(lanes.text(0)).contains("\"userId\":\"17\"");
    ChatSession other = session("18", 0);
    other.receive(JOIN);
    assertThat(answer(0)).contains("FORBIDDEN", "of user 18, not of 17");
    assertThat(answer(1)).startsWith("close 4001");
    assertThat(meter.refused).containsEntry("FORBIDDEN", 1);
  }

  @Test
  void serviceJoinsAsAnybodyButWhoIsDenied() {
    ChatSession session = session("*", 0);
    session.receive(frame("JOIN", 13, "user13", ""));
    assertThat(answer(0)).contains("FORBIDDEN", "user 13 is not let in any more");
    assertThat(answer(1)).startsWith("close 4001");
  }

  @Test
  void serviceHasNoRate() {
    ChatSession session = session("*", 1);
    session.receive(JOIN);
    session.receive(TEXT);
    session.receive(TEXT);
    assertThat(meter.refused).isEmpty();
    ChatSession user = session("17", 1);
    user.receive(JOIN);
    user.receive(TEXT);
    assertThat(meter.refused).containsEntry("RATE_LIMITED", 1);
  }

  @Test
  void expiryEndsWhoIsRead() {
    ChatSession session = session("17", 0);
    session.judgeAccess();
    assertThat(wire.sent()).isEmpty();
    nowMillis += Duration.ofMinutes(1).toMillis() + LEEWAY_MILLIS;
    session.pauseWhileBehind(true);
    session.judgeAccess();
    assertThat(wire.sent()).as("one that is not read is judged later").isEmpty();
    session.pauseWhileBehind(false);
    session.judgeAccess();
    assertThat(answer(0)).startsWith("close 4002");
  }

  @Test
  void removedKeyEndsWhomItVouchedForAndNobodyElse() throws Exception {
    ChatSession session = session("17", 0);
    Gate anotherKey = gateOf(NEXT);
    Gate bothKeys = gateOf(ISSUER, NEXT);
    assertThat(bothKeys.ended(session.visitor().identity(), "17")).isNull();
    assertThat(anotherKey.ended(session.visitor().identity(), "17"))
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
    ChatSession session = session("17", 0);
    assertThat(session.isOf("17")).isTrue();
    ChatSession service = session("*", 0);
    assertThat(service.isOf("17")).isFalse();
    service.receive(JOIN);
    assertThat(service.isOf("17")).isTrue();
    assertThat(service.isOf("*")).isFalse();
  }
}
