package dev.chatflow.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.client.plan.Disturbance;
import dev.chatflow.client.plan.Judging;
import dev.chatflow.client.plan.Pacing;
import dev.chatflow.client.plan.Pacing.Stage;
import dev.chatflow.client.plan.Plan;
import dev.chatflow.client.plan.Warmup;
import dev.chatflow.client.plan.Wave;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the plans that options create, and the errors for invalid options. */
final class PlansTest {
  @ParameterizedTest
  @CsvSource({
    "'', 20, 50, 500000",
    "--preset=2.5m, 20, 125, 2500000",
    "--preset=ENDURANCE, 20, 50, 4680000",
    "-r 3 -u 4, 3, 4, 6000",
    "-r 3 -u 4 -m 5, 3, 4, 60",
    "--total=26.1k, 20, 50, 26100",
    "--preset=warmup-a1, 20, 28, 450000",
    "--preset=warmup-a1 -t 256, 16, 16, 450000",
    "--preset=warmup-a1 -t 7, 7, 1, 450000",
    "--preset=warmup-a1 -r 4 -t 256, 4, 64, 450000",
  })
  void givenOptionsOverrideTheWorkloadOfThePreset(String line, int rooms, int size, long texts) {
    Plan plan = Parsed.plan(line);
    assertThat(plan.workload().rooms()).isEqualTo(rooms);
    assertThat(plan.workload().roomSize()).isEqualTo(size);
    assertThat(plan.workload().texts()).isEqualTo(texts);
  }

  @Test
  void skierPresetPostsInThreePhases() {
    Plan plan = Parsed.plan("--preset=skier-3phase -t 64");
    assertThat(plan.connecting().http()).isTrue();
    assertThat(plan.workload().listeners()).isZero();
    assertThat(plan.workload().roles().waves())
        .containsExactly(
            new Wave("ONE", 16, 2_500), new Wave("TWO", 64, 1_872), new Wave("THREE", 6, 1));
    assertThat(plan.pacing()).isEqualTo(Pacing.closed(1));
    assertThat(plan.connecting().threads()).as("not the load threads").isLessThanOrEqualTo(8);
    Plan small = Parsed.plan("--preset=skier-3phase -u 5 --numSkiers 200 --numRuns 10 -t 10");
    assertThat(small.workload().listeners()).isEqualTo(5);
    assertThat(small.workload().texts()).isEqualTo(2 * 200 + 10 * 120 + 1);
  }

  @Test
  void usersWithExpiringTokensResume() {
    assertThat(Parsed.plan("--token-ttl 3m").disturbance().resumes()).isTrue();
    assertThat(Parsed.plan("").disturbance()).isEqualTo(Disturbance.NONE);
  }

  @Test
  void warmupIsADurationOrANumberOfMessages() {
    assertThat(Parsed.plan("-d 10s --warmup 2s").workload().warmup())
        .isEqualTo(Warmup.of(Duration.ofSeconds(2)));
    assertThat(Parsed.plan("--warmup 32x1000").workload().warmup())
        .isEqualTo(new Warmup(Duration.ZERO, 32, 1_000));
    assertThat(Parsed.plan("--preset=warmup-a1 -r 2 -u 3").workload().warmup().users())
        .as("limited to the number of users")
        .isEqualTo(6);
  }

  @Test
  void timedRunSendsUntilItsTimeIsOver() {
    assertThat(Parsed.plan("-d 10s").workload().isOpenEnded()).isTrue();
    assertThat(Parsed.plan("-d 10s -m 5").workload().texts()).isEqualTo(5_000);
    assertThat(Parsed.plan("-m 0 -d 10s").workload().isOpenEnded()).isFalse();
  }

  @Test
  void stagesAreAScheduleWithItsOwnTime() {
    Plan plan = Parsed.plan("--stages 1k:10s,5k:500ms --arrivals poisson");
    assertThat(plan.pacing().stages())
        .containsExactly(
            new Stage(1_000, Duration.ofSeconds(10)), new Stage(5_000, Duration.ofMillis(500)));
    assertThat(plan.pacing().poisson()).isTrue();
    assertThat(plan.workload().duration()).isEqualTo(Duration.ofMillis(10_500));
  }

  @ParameterizedTest
  @CsvSource({
    "'', BURST, 2147483647",
    "-w 5, CLOSED, 5",
    "--model closed, CLOSED, 1",
    "-R 1k, OPEN, 2147483647",
    "-R 1k -w 3, OPEN, 3",
    "--preset=warmup-a1, CLOSED, 1",
    "--msg-frequency 1s, OPEN, 2147483647",
  })
  void modelIsImpliedByOtherOptions(String line, Pacing.Model model, int window) {
    assertThat(Parsed.plan(line).pacing().model()).isEqualTo(model);
    assertThat(Parsed.plan(line).pacing().window()).isEqualTo(window);
  }

  @Test
  void connectionOptionsAreApplied() {
    var connecting =
        Parsed.plan(
                "-r 1 -u 10 -t 3 --ramp-up 5s --retries 2 --backoff 10ms..1s --timeout 3s -p 4 -w"
                    + " 1")
            .connecting();
    assertThat(connecting.threads()).isEqualTo(3);
    assertThat(connecting.ratePerSecond()).isEqualTo(2);
    assertThat(connecting.retries()).isEqualTo(2);
    assertThat(connecting.backoffMin()).isEqualTo(Duration.ofMillis(10));
    assertThat(connecting.backoffMax()).isEqualTo(Duration.ofSeconds(1));
    assertThat(connecting.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(connecting.poolSize()).isEqualTo(4);
  }

  @Test
  void threadsOptionHasTwoNames() {
    assertThat(Parsed.plan("--threads 3").connecting().threads()).isEqualTo(3);
    assertThat(Parsed.plan("--numThreads 3").connecting().threads()).isEqualTo(3);
  }

  @Test
  void disturbanceIsAShareWithAnIntervalOrARate() {
    assertThat(Parsed.plan("--churn 10%/5s").disturbance())
        .isEqualTo(new Disturbance(0.1, Duration.ofSeconds(5), 0, 0, true));
    assertThat(Parsed.plan("--slow 1%@26.1k").disturbance())
        .isEqualTo(new Disturbance(0, Duration.ZERO, 0.01, 26_100, false));
    assertThat(Parsed.plan("--reconnect").disturbance().reconnects()).isTrue();
  }

  @Test
  void resumeAndMoveImplyReconnect() {
    assertThat(Parsed.plan("--resume").disturbance())
        .isEqualTo(new Disturbance(0, Duration.ZERO, 0, 0, true, true, false));
    assertThat(Parsed.plan("--move").disturbance())
        .isEqualTo(new Disturbance(0, Duration.ZERO, 0, 0, true, false, true));
    assertThat(Parsed.plan("--resume").exact()).isFalse();
  }

  @Test
  void historyAppliesToEachJoinAndKeepsCountsExact() {
    assertThat(Parsed.plan("").connecting().history()).isZero();
    assertThat(Parsed.plan("--history 50").connecting().history()).isEqualTo(50);
    assertThat(Parsed.plan("--history 50").exact()).isTrue();
    assertThatThrownBy(() -> Parsed.plan("--history 101")).hasMessageContaining("--history");
  }

  @Test
  void objectivesAddToTheDefaultsUnlessTheyAreCleared() {
    assertThat(objectives("")).hasSize(4).contains("failed == 0");
    assertThat(objectives("--slo lost==0")).hasSize(5).contains("lost == 0");
    assertThat(objectives("--slo none")).isEmpty();
    assertThat(objectives("--slo none --slo lost==0")).containsExactly("lost == 0");
    assertThat(objectives("--broker amqp://mq")).contains("queue.peak < 1000");
  }

  private static List<String> objectives(String line) {
    return Parsed.plan(line).judging().objectives().stream().map(Judging.Objective::text).toList();
  }

  @Test
  void serversAreAssignedInTurnByUserOrByRoom() {
    String two = "ws://a/chat --server-url ws://b/chat -r 2 -u 3";
    assertThat(Parsed.plan(two).target().urls()).containsExactly("ws://a/chat", "ws://b/chat");
    assertThat(Parsed.plan(two).target().together()).isEqualTo(1);
    assertThat(Parsed.plan(two + " --by-room").target().together()).isEqualTo(3);
    assertThat(Parsed.plan("").target().urls()).containsExactly("ws://localhost:8080/chat");
  }

  @Test
  void seedIsGivenOrRandomAndTheRunIdHasFourCharacters() {
    assertThat(Parsed.plan("--seed 5").seed()).isEqualTo(5);
    assertThat(Parsed.plan("").seed()).isNotNegative();
    for (int i = 0; i < 100; i++) {
      assertThat(RunOptions.runId()).matches("[1-9a-z][0-9a-z]{3}");
    }
  }

  @Test
  void levelsAndFormatsAreWrittenWithDashes() {
    assertThat(Parsed.plan("--verify total-order").judging().level())
        .isEqualTo(Judging.Level.TOTAL_ORDER);
    assertThat(Parsed.of("--format chatflow-go").options.print.format())
        .isEqualTo(PrintOptions.Format.CHATFLOW_GO);
  }

  /** Checks that messages name the error, the allowed values and the solution. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --rooms=x              | 'x' is not an int
          --rooms=0              | --rooms must be from 1 to 100000, found 0
          --duration=5           | '5' must be a duration such as 250ms, 10s, 5m or 1h
          --rate=fast            | 'fast' must be a number such as 500, 1k or 26.1k
          --backoff=1s           | '1s' must be a range such as 50ms..2s
          --verify=maybe         | 'maybe' must be one of off, count, exactly-once, total-order, kept-order
          --format=seed          | 'seed' must be one of text, json, chatflow-go, skier
          --model=other          | 'other' must be one of burst, closed, open
          --transport=udp        | 'udp' must be one of nio, http
          --csv=all              | 'all' must be one of none, messages, deliveries
          --preset=9m            | '9m' must be one of 500k, 1m, 1.5m, 2m, 2.5m, endurance, endurance-2x, warmup-a1, skier-3phase
          --churn=5s             | --churn must be PCT/DUR such as 10%/5s, found 5s
          --churn=x/5s           | 'x' must be a percentage such as 10%
          --slow=5               | --slow must be PCT@RATE such as 1%@10, found 5
          --mix=T=90             | --mix must be T=PCT,J=PCT,L=PCT such as T=90,J=5,L=5, found T=90
          --stages=5k            | --stages must be RATE:DUR,... such as 1k:10s,5k:30s, found 5k
          --stages=1:1s -R 5     | --stages cannot be combined with --rate or --msg-frequency
          --stages=1:1s -d 5s    | --stages and --duration cannot be combined
          --model=open           | --model open needs --rate, --stages or --msg-frequency
          --model=burst -R 5     | --model burst cannot be combined with --rate, --stages or --in-flight
          --total=5 -m 5         | --total and --messages cannot be combined
          --messages=-1          | --messages must not be negative, found -1
          --queues=(             | --queues must be a regular expression, found (
          --scrape=ftp://x       | --scrape must be an http:// or https:// URL, found ftp://x
          --consumer=http:/x     | --consumer must be an http:// or https:// URL, found http:/x
          --broker=mq            | --broker must be amqp://user:password@host:5672/vhost
          --cacert=/no/such.pem  | --cacert must be a file of PEM certificates, found /no/such.pem
          --insecure --cacert=x  | --insecure and --cacert cannot be combined
          --slo=lost             | --slo must be NAME[.STAT] OP VALUE such as delivery.p99<250ms, found lost
          @no/such.args          | no such file: no/such.args
          http://x/chat          | URL must start with ws:// or wss://, found http://x/chat
          --preset=skier-3phase -m 5 | --preset=skier-3phase cannot be combined with --messages
          --preset=skier-3phase --transport=nio | --preset=skier-3phase cannot be combined with
          """)
  void errorsForWrongOptionsNameTheAllowedValues(String line, String why) {
    assertThatThrownBy(
            () -> {
              Parsed parsed = Parsed.of(line);
              parsed.options.run.plan();
              parsed.options.run.observing();
            })
        .hasMessageContaining(why);
  }
}
