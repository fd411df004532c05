package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Extras;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.transport.TokenKey;
import dev.chatflow.client.transport.Tokens;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests complete runs in which members are devices of one user. */
final class DeviceRunTest {
  private final VirtualChat chat = new VirtualChat();
  private final List<String> joins = new ArrayList<>();

  private static TestPlan room() {
    return new TestPlan()
        .rooms(2, 6)
        .lasting(Duration.ofSeconds(3))
        .level(Judging.Level.TOTAL_ORDER)
        .pacing(Pacing.open(100, Pacing.UNBOUNDED, false))
        .extras(new Extras(0, 3, 0));
  }

  private VirtualRun run(TestPlan plan) throws InterruptedException {
    chat.refuse(json -> {
      if (VirtualChat.type("JOIN").test(json)) {
        joins.add(field(json, "userId") + " " + field(json, "username") + field(json, "device"));
      }
      return false;
    });
    return VirtualRun.of(plan, chat);
  }

  private static String field(JsonObject json, String name) {
    return json.has(name) ? " " + json.get(name).getAsString() : "";
  }

  @Test
  void consecutiveMembersAreDevicesOfOneUser() throws InterruptedException {
    VirtualRun run = run(room());
    assertThat(joins)
        .containsExactlyInAnyOrder(
            " 1  user0 d1",
            " 1  user0 d2",
            " 1  user0 d3",
            " 2  user3 d1",
            " 2  user3 d2",
            " 2  user3 d3",
            " 1  user6 d1",
            " 1  user6 d2",
            " 1  user6 d3",
            " 2  user9 d1",
            " 2  user9 d2",
            " 2  user9 d3");
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.CONNECTIONS_LOST)).isZero();
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(6 * run.count(Count.TEXTS_WRITTEN));
  }

  @Test
  void membersWithOneDeviceNameNone() throws InterruptedException {
    assertThat(run(room().rooms(1, 2).extras(Extras.NONE)).isClean()).isTrue();
    assertThat(joins).containsExactly(" 1  user0", " 2  user1");
  }

  @Test
  void devicesResumeSeparately() throws InterruptedException {
    chat.remember();
    Disturbance churn = new Disturbance(0.3, Duration.ofMillis(300), 0, 0, true, true, false);
    VirtualRun run = run(room().disturbance(churn));
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.RESUMED)).isEqualTo(run.count(Count.DROPPED)).isGreaterThan(20);
    assertThat(run.count(Count.CONNECTIONS_LOST)).isZero();
  }

  @Test
  void devicesHaveTokensOfTheirUser(@TempDir Path directory) throws Exception {
    Path key = Files.writeString(directory.resolve("key"), "k".repeat(64));
    assertThat(run(room().tokens(new Tokens(TokenKey.read(key), Duration.ofHours(1)))).isClean())
        .isTrue();
    assertThat(chat.sentHeaders().stream().map(DeviceRunTest::claims))
        .filteredOn(claims -> claims.contains("\"sub\":\"2\",\"name\":\"user3\""))
        .hasSize(3);
  }

  private static String claims(String header) {
    byte[] json = Base64.getUrlDecoder().decode(header.split("\\.", -1)[1]);
    return new String(json, StandardCharsets.UTF_8);
  }
}
