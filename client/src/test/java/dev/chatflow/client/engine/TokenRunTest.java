package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.transport.TokenKey;
import dev.chatflow.client.transport.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests complete runs in which tokens expire. */
final class TokenRunTest {
  private static final long SECOND = 1_000_000_000L;

  private final VirtualChat chat = new VirtualChat();
  private Path key = Path.of("");

  @BeforeEach
  void makeKey(@TempDir Path directory) throws IOException {
    key = Files.writeString(directory.resolve("key"), "0123456789abcdef0123456789abcdef");
    chat.remember();
  }

  private TestPlan room(Duration life, Duration lasting) throws IOException {
    return new TestPlan()
        .rooms(1, 4)
        .lasting(lasting)
        .level(Judging.Level.TOTAL_ORDER)
        .pacing(Pacing.open(50, Pacing.UNBOUNDED, false))
        .resuming()
        .tokens(new Tokens(TokenKey.read(key), life));
  }

  private void assertComplete(VirtualRun run) {
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RESUMED)).isEqualTo(run.count(Count.RECONNECTIONS));
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(run.count(Count.TEXTS_WRITTEN));
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(4 * run.count(Count.TEXTS_WRITTEN));
  }

  @Test
  void connectionsAreRenewedAMinuteBeforeExpiryWithoutLoss() throws Exception {
    VirtualRun run = VirtualRun.of(room(Duration.ofMinutes(3), Duration.ofSeconds(200)), chat);
    assertComplete(run);
    assertThat(run.count(Count.RENEWED)).isEqualTo(4);
    assertThat(run.count(Count.RECONNECTIONS)).isEqualTo(4);
    assertThat(run.count(Count.CONNECTIONS_LOST)).isZero();
    assertThat(run.record().tally().closeCodes()).isEmpty();
    assertThat(chat.sentHeaders())
        .hasSize(8)
        .allMatch(line -> line.startsWith("Authorization: Bearer "));
    assertThat(chat.received()).as("superseded connections").filteredOn("LEAVE"::equals).hasSize(4);
    assertThat(chat.mostOpen()).isGreaterThan(4);
  }

  @Test
  void failedRenewalIsRetried() throws Exception {
    chat.acceptUpgrades(4);
    chat.refuseUpgrades("HTTP/1.1 503", 2);
    VirtualRun run = VirtualRun.of(room(Duration.ofMinutes(3), Duration.ofSeconds(150)), chat);
    assertComplete(run);
    assertThat(run.count(Count.RENEWED)).isEqualTo(4);
    assertThat(run.record().tally().failures()).containsEntry("HTTP/1.1 503", 2L);
  }

  @Test
  void shortLivedTokensAreUsedUntilTheyExpire() throws Exception {
    chat.after(20 * SECOND, () -> chat.closeAll(4002, "token expired"));
    VirtualRun run = VirtualRun.of(room(Duration.ofSeconds(20), Duration.ofSeconds(30)), chat);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RENEWED)).isZero();
    assertThat(run.count(Count.EXPIRED)).isEqualTo(4);
    assertThat(run.count(Count.RESUMED)).isEqualTo(4);
    assertThat(run.count(Count.TEXTS_ECHOED)).isEqualTo(run.count(Count.TEXTS_WRITTEN));
  }

  @Test
  void userWithARejectedTokenDoesNotReconnect() throws Exception {
    chat.after(2 * SECOND, () -> chat.open().getFirst().end(4001, "no token for this room"));
    VirtualRun run = VirtualRun.of(room(Duration.ofHours(1), Duration.ofSeconds(4)), chat);
    assertThat(run.count(Count.UNAUTHORIZED)).isEqualTo(1);
    assertThat(run.count(Count.RECONNECTIONS)).isZero();
    assertThat(run.record().tally().failures())
        .containsKey("connection lost: 4001 no token for this room");
  }
}
