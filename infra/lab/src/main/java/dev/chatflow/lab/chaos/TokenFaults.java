package dev.chatflow.lab.chaos;

import static dev.chatflow.lab.chaos.Loads.with;
import static dev.chatflow.lab.chaos.Loads.words;

import dev.chatflow.lab.chaos.Scenario.Played;
import dev.chatflow.lab.node.ChatNode;
import dev.chatflow.lab.node.LoadResult;
import dev.chatflow.lab.node.LoadRun;
import dev.chatflow.lab.node.Problems;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Faults of tokens that expire during the chat. */
final class TokenFaults {

  static final List<Scenario> ALL =
      List.of(
          Scenario.of(
                  "tokens-expire",
                  1,
                  "the tokens of 100 members expire: closed with 4002, all return with new ones",
                  TokenFaults::tokensExpire)
              .quick(),
          Scenario.of(
              "tokens-expire-all",
              1,
              "the same with 1,000 members within one minute",
              TokenFaults::tokensExpireAll),
          Scenario.of(
              "tokens-renewed",
              1,
              "1,000 members move to a connection with a new token a minute before theirs ends",
              TokenFaults::tokensRenewed));

  private static final List<String> PATIENT =
      List.of("--retries", "200", "--backoff", "50ms..500ms");

  private TokenFaults() {}

  // Tokens outlast connecting and joining; servers accept them for another half minute.

  static Played tokensExpire(Stage stage) throws Exception {
    return expired(play(stage, "-r 2 -u 50 -R 300 -d 80s --token-ttl 30s"), 100);
  }

  static Played tokensExpireAll(Stage stage) throws Exception {
    return expired(play(stage, "-r 20 -u 50 -R 300 -d 120s --token-ttl 60s"), 1_000);
  }

  private static Played expired(LoadResult result, long members) {
    long closed = result.closedWith(4002);
    Problems problems = new Problems();
    problems.unless(closed >= members, closed + " closed with 4002 of " + members);
    problems.unless(
        closed == result.count("connectionsLost"),
        result.count("connectionsLost") + " connections lost, closed with 4002: " + closed);
    return resumed(result, problems);
  }

  static Played tokensRenewed(Stage stage) throws Exception {
    LoadResult result = play(stage, "-r 20 -u 50 -R 300 -d 120s --token-ttl 2m");
    Problems problems = new Problems();
    long moved = result.count("renewed");
    problems.unless(moved >= 1_000, moved + " moved");
    problems.unless(
        result.count("connectionsLost") == 0, result.count("connectionsLost") + " were closed");
    return resumed(result, problems);
  }

  private static LoadResult play(Stage stage, String options)
      throws IOException, InterruptedException {
    String key = stage.file("token.key", "tokens-tokens-tokens-tokens-tokens").toString();
    ChatNode server = stage.server(Map.of("CHATFLOW_TOKEN_KEYS", key, "CHATFLOW_HEARTBEAT", "10s"));
    LoadRun load =
        stage.load(
            List.of(server.url()),
            with(List.of("--token-key", key), with(PATIENT, words(options))));
    return load.await();
  }

  private static Played resumed(LoadResult result, Problems problems) {
    long back = result.count("reconnections");
    long resumed = result.count("resumed");
    problems.unless(resumed == back, back + " returned, resumed: " + resumed);
    return new Played(result, Duration.ZERO, false, resumed + " resumed", problems.all());
  }
}
