package dev.chatflow.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.delivery.PastAnswer;
import dev.chatflow.room.FrameName;
import dev.chatflow.room.RoomId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PastHandlerTest {

  private static final String NAME =
      "{\"messageType\":\"TEXT\",\"userId\":\"4\",\"messageId\":\"m-1\","
          + "\"serverTimestamp\":\"2026-11-22T10:00:01.125Z\"}";

  private record Question(RoomId room, int most, @Nullable FrameName before) {}

  private final List<Question> asked = new ArrayList<>();
  private final PostedTexts counted = new PostedTexts();
  private PastAnswer answer = new PastAnswer.Answered(List.of(frame("JOIN", 1), frame("TEXT", 2)));
  private int history = 100;

  private FakeExchange get(String room, FakeExchange exchange) throws Exception {
    PastHandler handler =
        new PastHandler(
            (id, most, before) -> {
              asked.add(new Question(id, most, before));
              return CompletableFuture.completedFuture(answer);
            },
            history,
            counted);
    int before = asked.size();
    handler.get(room, exchange.request(), exchange.response());
    if (asked.size() > before) {
      exchange.awaitAnswer();
    }
    return exchange;
  }

  private static String frame(String type, int id) {
    return NAME.replace("TEXT", type).replace("m-1", "m-" + id);
  }

  private static JsonObject json(FakeExchange answered) throws Exception {
    return JsonParser.parseString(answered.text()).getAsJsonObject();
  }

  @Test
  void nextOfAnAnswerLeadsToEarlierMessages() throws Exception {
    String next = json(get("5", question())).get("next").getAsString();
    assertThat(next).matches("[A-Za-z0-9_-]+");
    get("5", question().parameter("before", next));
    assertThat(asked.getLast().before())
        .isEqualTo(
            new FrameName("JOIN", "4", "m-1", "2026-11-22T10:00:01.125Z", 1_795_341_601_125L));
    answer = new PastAnswer.Answered(List.of());
    assertThat(json(get("5", question())).has("next")).as("nothing is earlier").isFalse();
  }

  @Test
  void typesThatAreNotWantedAreLeftOutAndSkipped() throws Exception {
    answer =
        new PastAnswer.Answered(
            List.of(frame("JOIN", 1), frame("TEXT", 2), frame("LEAVE", 3), frame("TEXT", 4)));
    FakeExchange one = get("5", question().parameter("types", "TEXT").parameter("last", "1"));
    assertThat(asked.getLast().most()).isEqualTo(100);
    assertThat(json(one).get("messages").toString()).isEqualTo("[" + frame("TEXT", 4) + "]");
    get("5", question().parameter("before", json(one).get("next").getAsString()));
    assertThat(String.valueOf(asked.getLast().before())).contains("m-4");

    FakeExchange all = get("5", question().parameter("types", "TEXT,JOIN"));
    assertThat(json(all).getAsJsonArray("messages")).hasSize(3);
    get("5", question().parameter("before", json(all).get("next").getAsString()));
    assertThat(String.valueOf(asked.getLast().before())).as("all were looked at").contains("m-1");
    assertThat(get("5", question().parameter("types", "text")).status()).isEqualTo(400);
  }

  private static FakeExchange question() {
    return new FakeExchange("GET", "/api", "/rooms/5/messages");
  }

  @Test
  void newestMessagesAreInLogOrder() throws Exception {
    FakeExchange told = get("5", question());

    assertThat(told.status()).isEqualTo(200);
    assertThat(told.text())
        .startsWith(
            "{\"roomId\":\"5\",\"messages\":["
                + frame("JOIN", 1)
                + ","
                + frame("TEXT", 2)
                + "],\"next\"");
    assertThat(told.answered("Content-Type")).isEqualTo("application/json");
    assertThat(told.answered("Cache-Control")).isEqualTo("no-store");
    assertThat(asked).containsExactly(new Question(new RoomId("5"), 50, null));
    assertThat(counted.told).containsExactly(200);
  }

  @Test
  void numberAndPlaceMayBeNamed() throws Exception {
    get("5", question().parameter("last", "7").parameter("before", NAME));

    assertThat(asked.getFirst().most()).isEqualTo(7);
    assertThat(asked.getFirst().before())
        .isEqualTo(
            new FrameName("TEXT", "4", "m-1", "2026-11-22T10:00:01.125Z", 1_795_341_601_125L));
  }

  @Test
  void noClientGetsMoreThanTheServerAllows() throws Exception {
    history = 3;
    get("5", question().parameter("last", "100"));

    assertThat(asked.getFirst().most()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "101", "-1", "1.5", "ten", "", "0001"})
  void wrongNumberIsRefused(String last) throws Exception {
    FakeExchange refused = get("5", question().parameter("last", last));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("BAD_QUERY", "last must be an integer from 1 to 100");
    assertThat(asked).isEmpty();
    assertThat(counted.told).containsExactly(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m-1", "{}", "{\"messageType\":\"TEXT\"}", "[]"})
  void wrongPlaceIsRefused(String before) throws Exception {
    FakeExchange refused = get("5", question().parameter("before", before));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text())
        .contains("BAD_QUERY", "before must be the next of an earlier answer");
  }

  @Test
  void wrongRoomIsRefused() throws Exception {
    assertThat(get("a room", question()).text()).contains("BAD_ROOM");
  }

  @Test
  void placeThatIsNotKeptIsNotFound() throws Exception {
    answer = new PastAnswer.NotFound();
    FakeExchange refused = get("5", question().parameter("before", NAME));

    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.text()).contains("NOT_FOUND", "omit before");
  }

  @Test
  void requestThatCannotBeAnsweredNowGetsATimeToRetry() throws Exception {
    answer = new PastAnswer.NotNow("the broker is unavailable");
    FakeExchange refused = get("5", question());

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.answered("Retry-After")).isEqualTo("1");
    assertThat(refused.text()).contains("SERVICE_UNAVAILABLE", "the broker is unavailable");
  }
}
