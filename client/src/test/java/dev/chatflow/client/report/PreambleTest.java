package dev.chatflow.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.observe.ServerHealth;
import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Mix;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Wave;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the description that is printed before a run. */
final class PreambleTest {
  private static String plan(TestPlan plan) {
    return Preamble.of(plan.build(), List.of(), "x")
        .lines()
        .filter(line -> line.startsWith("plan    "))
        .findFirst()
        .orElseThrow()
        .substring(8);
  }

  @Test
  void planWithoutADurationShowsExactCounts() {
    assertThat(plan(new TestPlan().rooms(2, 3).texts(10)))
        .isEqualTo(
            "2 rooms x 3 users = 6 connections on 1 threads, 10 messages each: 72 sends, 204"
                + " deliveries; model burst; seed 7");
  }

  @Test
  void timedPlanIsCheckedByTheLedger() {
    assertThat(
            plan(
                new TestPlan()
                    .lasting(Duration.ofMillis(1_500))
                    .pacing(Pacing.open(2_000, 5, false))))
        .endsWith(
            "for 1.5 s: checked by the ledger; model open 2,000/s, at most 5 in flight per user;"
                + " seed 7");
  }

  @Test
  void disturbedPlanShowsOnlyAnUpperBound() {
    Disturbance churn = new Disturbance(0.1, Duration.ofSeconds(1), 0, 0, true);
    assertThat(plan(new TestPlan().disturbance(churn)))
        .contains("at most 204 deliveries: checked by the ledger");
    assertThat(plan(new TestPlan().mix(new Mix(80, 10, 10)))).contains("at most ");
  }

  /** Without listeners, posts have responses but no deliveries. */
  @Test
  void planWithoutListenersIsCheckedByResponses() {
    assertThat(plan(new TestPlan().rooms(1, 5).http(0).waves(new Wave("ONE", 5, 10))))
        .contains("sends, checked by their answers, without listeners")
        .doesNotContain("0 deliveries");
  }

  @Test
  void poolWarnsOfFewerCopiesPerMessage() {
    String text = Preamble.of(new TestPlan().rooms(1, 10).poolSize(4).build(), List.of(), "x");
    assertThat(text).contains("WARNING a pool of 4 connections", "at most 4 copies instead of 10");
    assertThat(Preamble.of(new TestPlan().build(), List.of(), "x")).doesNotContain("WARNING");
  }

  @Test
  void serversAreListedWithTheirHealth() {
    ServerHealth health =
        new ServerHealth(URI.create("http://127.0.0.1:1/health"), true, true, "UP s1 1.0");
    String text =
        Preamble.of(
            new TestPlan().urls("ws://127.0.0.1:1/chat", "ws://127.0.0.1:2/chat").build(),
            List.of(health),
            "night run");
    assertThat(text)
        .startsWith("ChatFlow load client development   run \"night run\"\nclient  ")
        .contains(
            "server  ws://127.0.0.1:1/chat  UP s1 1.0\n",
            "server  ws://127.0.0.1:2/chat\n",
            "needs   ");
  }
}
