package dev.chatflow.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.broker.BrokerConfig;
import dev.chatflow.broker.BrokerConnector;
import dev.chatflow.consumer.ConsumerConfig;
import dev.chatflow.consumer.ConsumerThreads;
import dev.chatflow.http.Answer;
import dev.chatflow.http.Request;
import dev.chatflow.room.Shard;
import dev.chatflow.standalone.record.Records;
import dev.chatflow.standalone.record.Spoken;
import dev.chatflow.standalone.record.Statistics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswersTest {

  private static final Records.Bounds BOUNDS = new Records.Bounds(1 << 20, 1 << 20, 100);
  private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(Spoken.NOW));
  private final Records even = new Records(BOUNDS, clock);
  private final Records odd = new Records(BOUNDS, clock);
  private final Statistics statistics = new Statistics(List.of(even, odd), clock);
  private final StandaloneMeters meters = new StandaloneMeters();
  private final Answers answers;

  AnswersTest() throws Exception {
    BrokerConnector connector =
        new BrokerConnector(BrokerConfig.of(URI.create("amqp://127.0.0.1:1")), "test", "test");
    ConsumerConfig config = new ConsumerConfig("standalone", 0, 2, 2, 64);
    List<RecordingDuty> duties =
        List.of(
            new RecordingDuty(config, 0, false, connector, even, meters),
            new RecordingDuty(config, 1, false, connector, odd, meters));
    ConsumerThreads threads = new ConsumerThreads(config, connector, duties, meters);
    meters.show(statistics);
    meters.show(duties, threads, connector);
    answers =
        new Answers(
            statistics, meters, new Health("1", connector, threads, duties, statistics, meters));
  }

  @BeforeEach
  void speak() {
    even.recorded(Spoken.join("2", 1));
    even.recorded(Spoken.text("2", 1, "a"));
    odd.recorded(Spoken.text("1", 1, "b"));
    odd.recorded(Spoken.text("1", 2, "c"));
    odd.recorded(Spoken.text("11", 1, "d"));
    odd.recorded(Spoken.leave("1", 2, true));
    even.recorded(Spoken.text("2", 1, "e"));
  }

  private Answer get(String uri) {
    return answers.answer(new Request("GET", URI.create(uri), null, List.of(), false, true, ""));
  }

  private JsonObject json(String uri) {
    Answer answer = get(uri);
    assertThat(answer.status()).isEqualTo(200);
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  @Test
  void statisticsNameTheBusiest() {
    JsonObject stats = json("/api/stats");
    assertThat(stats.get("activeUsers").getAsInt()).isEqualTo(2);
    assertThat(stats.get("busiestRoom")).hasToString("{\"roomId\":\"1\",\"messages\":3}");
    assertThat(stats.get("mostActiveUser")).hasToString("{\"user\":\"user1\",\"messages\":5}");
    assertThat(stats.get("messagesPerMinute").getAsJsonArray()).hasSize(15);
    assertThat(stats.get("messagesPerMinute").getAsJsonArray().get(14))
        .hasToString("{\"minute\":\"2026-11-20T18:46:00Z\",\"messages\":7}");
    assertThat(stats.get("topRooms").getAsJsonArray()).hasSize(3);
    assertThat(stats.get("topUsersByRooms").getAsJsonArray().get(0))
        .hasToString("{\"user\":\"user1\",\"rooms\":3}");
  }

  @Test
  void everySenderOfEveryRoomIsCounted() {
    even.gap(new Shard(0));
    JsonObject counts = json("/api/audit");
    assertThat(counts.get("recorded").getAsInt()).isEqualTo(7);
    assertThat(counts.get("gaps").getAsInt()).isEqualTo(1);
    assertThat(counts.get("rooms").getAsJsonArray()).hasSize(3);
    assertThat(counts.get("rooms").getAsJsonArray().get(0))
        .hasToString(
            "{\"roomId\":\"1\",\"recorded\":3,\"senders\":["
                + "{\"userId\":\"1\",\"username\":\"user1\",\"joins\":0,\"texts\":1,\"leaves\":0,"
                + "\"syntheticLeaves\":0},"
                + "{\"userId\":\"2\",\"username\":\"user2\",\"joins\":0,\"texts\":1,\"leaves\":0,"
                + "\"syntheticLeaves\":1}]}");
  }

  @Test
  void roomsAreListedByNumber() {
    assertThat(get("/api/rooms").body())
        .containsSubsequence("\"roomId\":\"1\"", "\"roomId\":\"2\"", "\"roomId\":\"11\"");
  }

  @Test
  void messagesOfARoomCanBeReadOn() {
    JsonObject first = json("/api/rooms/2/messages?from=1&limit=2");
    assertThat(first.get("messages").getAsJsonArray()).hasSize(2);
    assertThat(first.get("next").getAsInt()).isEqualTo(3);
    JsonObject rest = json("/api/rooms/2/messages?from=3");
    assertThat(rest.get("messages").getAsJsonArray()).hasSize(1);
    assertThat(rest.get("recorded").getAsInt()).isEqualTo(3);
    assertThat(json("/api/rooms/2/messages?from=4").has("next")).isFalse();
  }

  @Test
  void messagesOfAUserComeFromAllThreadsInOrder() {
    assertThat(get("/api/users/user1/messages").body())
        .containsSubsequence(
            "\"message\":\"a\"", "\"message\":\"b\"", "\"message\":\"d\"", "\"message\":\"e\"");
    assertThat(get("/api/users/user1/messages?limit=2").body())
        .contains("\"message\":\"d\"", "\"message\":\"e\"")
        .doesNotContain("\"message\":\"b\"");
    assertThat(json("/api/users/user1/messages?since=2026-11-20T18:46:01Z").get("messages"))
        .hasToString("[]");
  }

  @Test
  void aUserHasItsRooms() {
    assertThat(get("/api/users/user1").body())
        .isEqualTo(
            "{\"username\":\"user1\",\"rooms\":[{\"roomId\":\"1\",\"messages\":1},"
                + "{\"roomId\":\"2\",\"messages\":3},{\"roomId\":\"11\",\"messages\":1}]}");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/rooms/7/messages,404,NOT_RECORDED",
    "/api/rooms/a.b/messages,400,BAD_ROOM",
    "/api/users/nobody,404,NOT_RECORDED",
    "/api/users/nobody/messages,404,NOT_RECORDED",
    "/api/users/x/messages,400,BAD_USER",
    "/api/rooms/2/messages?limit=0,400,BAD_QUERY",
    "/api/rooms/2/messages?limit=1001,400,BAD_QUERY",
    "/api/rooms/2/messages?limit=x,400,BAD_QUERY",
    "/api/rooms/2/messages?since=yesterday,400,BAD_QUERY",
    "/api/rooms/2/messages?color=red,400,BAD_QUERY",
    "/api/stats?from=2026-11-20T18:46:00Z&top=10,400,BAD_QUERY",
    "/api/audit?room=1,400,BAD_QUERY",
    "/api/rooms?limit=5,400,BAD_QUERY",
    "/api/users/user1?limit=5,400,BAD_QUERY",
    "/health?verbose=1,400,BAD_QUERY",
    "/api/users/user1/messages?from=1,400,BAD_QUERY",
    "/api/users,404,NOT_FOUND",
    "/nowhere,404,NOT_FOUND"
  })
  void errorsHaveAName(String uri, int status, String code) {
    Answer answer = get(uri);
    assertThat(answer.status()).isEqualTo(status);
    JsonObject body = JsonParser.parseString(answer.body()).getAsJsonObject();
    assertThat(body.get("errorCode").getAsString()).isEqualTo(code);
    assertThat(body.get("status").getAsInt()).isEqualTo(status);
    assertThat(body.get("error").getAsString()).isNotEmpty();
  }

  @Test
  void onlyGetIsAnswered() {
    assertThat(
            answers
                .answer(
                    new Request("POST", URI.create("/api/stats"), null, List.of(), false, true, ""))
                .status())
        .isEqualTo(405);
  }

  @Test
  void healthSaysStartingUntilTheQueuesAreRead() {
    even.gap(new Shard(0));
    Answer answer = get("/health");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body())
        .contains("\"status\":\"STARTING\"", "\"recorded\":7", "\"shard\":0,\"count\":1")
        .contains("chat.audit.0", "chat.audit.1");
  }

  @Test
  void metricsHaveExactlyTheDocumentedNames() throws IOException {
    String documented = Files.readString(Path.of("../docs/consumer.md"));
    assertThat(names("# TYPE (chatflow_audit_\\S+) (\\w+)", get("/metrics").body()))
        .isEqualTo(names("\\| `(chatflow_audit_[a-z_]+)` \\| (\\w+) \\|", documented));
    assertThat(
            answers
                .answer(
                    new Request(
                        "GET",
                        URI.create("/metrics"),
                        "application/openmetrics-text",
                        List.of(),
                        false,
                        true,
                        ""))
                .body())
        .endsWith("# EOF\n");
  }

  private static Map<String, String> names(String pattern, String text) {
    Map<String, String> names = new TreeMap<>();
    Pattern.compile(pattern)
        .matcher(text)
        .results()
        .forEach(match -> names.put(match.group(1), match.group(2)));
    return names;
  }
}
