package dev.chatflow.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chatflow.client.CommandFailure;
import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.plan.Pacing.Stage;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests pacing, mix, disturbance and waves, and their validation. */
final class ShapesTest {
  @Test
  void messagesOfASteadyRateAreEquallySpaced() {
    Pacing pacing = Pacing.open(200, 1, false);
    assertThat(pacing.dueNanos(0)).isZero();
    assertThat(pacing.dueNanos(3)).isEqualTo(15_000_000);
  }

  @Test
  void stagesFollowEachOtherAndTheLastOneContinues() {
    Pacing pacing =
        Pacing.inStages(
            List.of(new Stage(10, Duration.ofSeconds(2)), new Stage(100, Duration.ofSeconds(1))),
            Pacing.UNBOUNDED,
            false);
    assertThat(pacing.ratePerSecond()).as("mean").isCloseTo(40, within(1e-9));
    assertThat(pacing.dueNanos(10)).isEqualTo(1e9);
    assertThat(pacing.dueNanos(20)).isEqualTo(2e9);
    assertThat(pacing.dueNanos(70)).isEqualTo(2.5e9);
    assertThat(pacing.dueNanos(220)).isEqualTo(4e9);
  }

  @Test
  void mixSpreadsItsRejoinsEvenlyAndDifferentlyForEachUser() {
    Mix mix = new Mix(90, 5, 5);
    assertThat(mix.textsOf(1_000)).isEqualTo(900);
    assertThat(mix.rejoins()).isTrue();
    assertThat(Mix.TEXTS_ONLY.rejoins()).isFalse();
    for (int user = 0; user < 5; user++) {
      int own = user;
      assertThat(IntStream.rangeClosed(1, 900).filter(text -> mix.rejoinsAfter(own, text)).count())
          .isBetween(49L, 51L);
    }
    assertThat(IntStream.rangeClosed(1, 18).filter(text -> mix.rejoinsAfter(0, text)).toArray())
        .isNotEqualTo(
            IntStream.rangeClosed(1, 18).filter(text -> mix.rejoinsAfter(1, text)).toArray());
  }

  @Test
  void slowUsersAreSpreadEvenly() {
    Disturbance fifth = new Disturbance(0, Duration.ZERO, 0.2, 10, false);
    assertThat(IntStream.range(0, 15).filter(fifth::isSlow)).containsExactly(4, 9, 14);
    assertThat(IntStream.range(0, 15).filter(Disturbance.NONE::isSlow)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "5, 1", "6, 2", "128, 26"})
  void nextWaveBeginsAfterAFifthOfTheUsers(int users, int finished) {
    assertThat(new Wave("ONE", users, 1).finishedForNext()).isEqualTo(finished);
  }

  @ParameterizedTest
  @CsvSource({
    "'<', true, false, false",
    "'<=', true, true, false",
    "'==', false, true, false",
    "'>=', false, true, true",
    "'>', false, false, true",
  })
  void objectivesCompareTheirSides(String operator, boolean less, boolean same, boolean more) {
    Judging.Objective objective = new Judging.Objective("", "", operator, "");
    assertThat(objective.holds(1, 2)).isEqualTo(less);
    assertThat(objective.holds(2, 2)).isEqualTo(same);
    assertThat(objective.holds(3, 2)).isEqualTo(more);
    assertThat(objective.holds(Double.NaN, 2)).as("never observed").isFalse();
  }

  @Test
  void invalidValuesAreRejectedWithTheirOption() {
    refused("--stages must have rates above 0", () -> new Stage(0, Duration.ofSeconds(1)));
    refused("--stages must have times above 0", () -> new Stage(1, Duration.ZERO));
    refused("--mix must add up to 100", () -> new Mix(50, 5, 5));
    refused("--mix must add up to 100 with T above 0", () -> new Mix(0, 50, 50));
    refused("--mix must have as many JOINs as LEAVEs", () -> new Mix(90, 8, 2));
    refused("--zipf must be from 0 to 10", () -> new Roles(1, Mix.TEXTS_ONLY, 11, 0, List.of()));
    refused(
        "--churn must be from 0% to 100%",
        () -> new Disturbance(1.5, Duration.ofSeconds(1), 0, 0, true));
    refused(
        "--churn must be PCT/DUR with DUR above 0",
        () -> new Disturbance(0.1, Duration.ZERO, 0, 0, true));
    refused(
        "--slow must be PCT@RATE with RATE above 0",
        () -> new Disturbance(0, Duration.ZERO, 0.1, 0, false));
    refused("--warmup must not be negative", () -> Warmup.of(Duration.ofSeconds(-1)));
    refused("--signals must be from 0 to 1m, found -1", () -> new Extras(-1, 1, 0));
    refused("--signals must be from 0 to 1m", () -> new Extras(Double.NaN, 1, 0));
    refused("--devices must be from 1 to 8, found 9", () -> new Extras(0, 9, 0));
    refused(
        "--room-size must be a multiple of --devices, found 3 members and 2 devices",
        () -> new TestPlan().rooms(1, 3).extras(new Extras(0, 2, 0)).build());
    refused("--data-size must be from 10 to 2000, found 9", () -> new Extras(0, 1, 9));
    refused("--data-size must be from 10 to 2000", () -> new Extras(0, 1, 2_001));
    refused("users of phase ONE must be from 1", () -> new Wave("ONE", 0, 1));
    refused(
        "--drain must not be negative",
        () -> new Judging(Judging.Level.OFF, Duration.ofSeconds(-1), false, List.of()));
  }

  @Test
  void invalidCombinationsAreRejectedWithTheirOptions() {
    refused(
        "--pool-size below the number of users cannot be combined with --rate",
        () -> new TestPlan().poolSize(2).pacing(Pacing.open(1, Pacing.UNBOUNDED, false)).build());
    refused(
        "--pool-size below the number of users cannot be combined with",
        () -> new TestPlan().poolSize(2).reconnecting().build());
    refused(
        "--pool-size below the number of users cannot be combined with --warmup=USERSxMSGS",
        () -> new TestPlan().poolSize(2).warmup(new Warmup(Duration.ZERO, 1, 1)).build());
    refused(
        "--transport=http cannot be combined with",
        () -> new TestPlan().http(1).reconnecting().build());
    refused(
        "--transport=http cannot be combined with",
        () -> new TestPlan().http(1).mix(new Mix(80, 10, 10)).build());
    refused(
        "--part cannot be combined with --signals",
        () -> new TestPlan().extras(new Extras(1, 1, 0)).part(1, 2).build());
    refused("servers must be from 1 to 1, found 2", () -> new TestPlan().build().onServers(2));
  }

  @Test
  void poolsAndPostsChangeTheNumberOfConnections() {
    Plan pooled = new TestPlan().rooms(4, 5).poolSize(10).build();
    assertThat(pooled.isPooled()).isTrue();
    assertThat(pooled.connections()).isEqualTo(10);
    assertThat(pooled.mostPresent()).isEqualTo(5);
    assertThat(pooled.exact()).as("members differ").isFalse();
    assertThat(new TestPlan().rooms(4, 5).poolSize(3).build().mostPresent()).isEqualTo(3);
    Plan posts = new TestPlan().rooms(4, 5).http(2).build();
    assertThat(posts.connections()).isEqualTo(4 * 2 + 4 * 5);
    assertThat(posts.exact()).isTrue();
  }

  @Test
  void stepOfASearchUsesTheOpenModelAndIsNotExact() {
    Plan step =
        new TestPlan().build().atRate(500, Duration.ofSeconds(1), Duration.ofSeconds(4), "zz99");
    assertThat(step.pacing().ratePerSecond()).isEqualTo(500);
    assertThat(step.workload().duration()).isEqualTo(Duration.ofSeconds(5));
    assertThat(step.workload().warmup().time()).isEqualTo(Duration.ofSeconds(1));
    assertThat(step.runId()).isEqualTo("zz99");
    assertThat(step.exact()).isFalse();
  }

  private static void refused(String why, Runnable what) {
    assertThatThrownBy(what::run).isInstanceOf(CommandFailure.class).hasMessageContaining(why);
  }
}
