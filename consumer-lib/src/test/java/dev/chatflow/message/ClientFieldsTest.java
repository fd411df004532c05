package dev.chatflow.message;

import static dev.chatflow.message.Frames.ROOM;
import static dev.chatflow.message.Frames.frame;
import static dev.chatflow.message.Frames.quoted;
import static dev.chatflow.message.Frames.valid;
import static dev.chatflow.message.Frames.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.FrameName;
import dev.chatflow.room.Past;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The accepted fields of a client's frame, and the errors for others. */
class ClientFieldsTest {

  private static final String USER_ID_RULE = "must be an integer from 1 to 100000";
  private static final String TEXT_RULE = "must have 1 to 500 characters";
  private static final String REMARK_RULE = "must have 0 to 500 characters";

  @Test
  void everyFieldIsTaken() {
    assertThat(valid(frame()))
        .isEqualTo(
            new ClientMessage(
                MessageType.TEXT, "17", "user17", "hello", "2026-11-20T18:46:00.123Z", "c-17"));
  }

  private static final String NAME =
      "{'messageType':'TEXT','userId':'4','messageId':'m-1',"
          + "'serverTimestamp':'2026-11-22T10:00:01.125Z'}";
  private static final FrameName NAMED =
      new FrameName("TEXT", "4", "m-1", "2026-11-22T10:00:01.125Z", 1_795_341_601_125L);

  private static String join(String more) {
    return ("{'messageType':'JOIN','userId':'17','username':'user17',"
            + "'timestamp':'2026-11-20T18:46:00.123Z'"
            + more
            + "}")
        .replace('\'', '"');
  }

  @Test
  void joinMayRequestThePast() {
    assertThat(valid(join("")).request().past()).isEqualTo(Past.NONE);
    assertThat(valid(join(",'history':0")).request().past()).isEqualTo(Past.NONE);
    assertThat(valid(join(",'history':100")).request().past()).isEqualTo(new Past(null, 100));
    assertThat(valid(join(",'after':" + NAME)).request().past()).isEqualTo(new Past(NAMED, 0));
    assertThat(valid(join(",'history':7,'after':" + NAME)).request().past())
        .isEqualTo(new Past(NAMED, 7));
    assertThat(valid(join(",'after':" + NAME.replace("}", ",'status':200}"))).request().past())
        .as("further fields of the frame are ignored")
        .isEqualTo(new Past(NAMED, 0));
    assertThat(valid(join(",'after':" + NAME.replace("'4'", "4"))).request().past().after())
        .isEqualTo(NAMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "101", "1.0", "1e1", "\"5\"", "null", "true", "[]", "{}", "007"})
  void otherHistoryIsWrong(String history) {
    String frame = join(",'history':" + history);
    if (history.equals("007")) {
      assertThat(MessageCodec.parse(frame, ROOM, new ClientRules(UserIds.NUMBER)))
          .isInstanceOf(Parsed.Malformed.class);
    } else {
      assertThat(wrong(frame)).isEqualTo(Map.of("history", "must be an integer from 0 to 100"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "'m-1'",
        "[]",
        "{}",
        "{'messageType':'TEXT','userId':'4','messageId':'m-1'}",
        "{'messageType':'TEXT','userId':'4','messageId':'m 1','serverTimestamp':'2026-11-22T10:00:01.125Z'}",
        "{'messageType':'PING','userId':'4','messageId':'m-1','serverTimestamp':'2026-11-22T10:00:01.125Z'}",
        "{'messageType':'TEXT','userId':'*','messageId':'m-1','serverTimestamp':'2026-11-22T10:00:01.125Z'}",
        "{'messageType':'TEXT','userId':'4','messageId':'m-1','serverTimestamp':'yesterday'}"
      })
  void otherAfterIsWrong(String after) {
    assertThat(wrong(join(",'after':" + after)))
        .isEqualTo(
            Map.of(
                "after",
                "must hold messageType, userId, messageId and serverTimestamp of a TEXT, JOIN or"
                    + " LEAVE of this room"));
  }

  @Test
  void textAndLeaveIgnoreTheFieldsOfJoins() {
    String more = ",'history':'x','after':7";
    assertThat(valid(join(more + ",'message':'hi'").replace("JOIN", "TEXT")).request().past())
        .isEqualTo(Past.NONE);
    assertThat(valid(join(more).replace("JOIN", "LEAVE")).request().past()).isEqualTo(Past.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TEXT", "JOIN", "LEAVE"})
  void messageTypesAreThree(String type) {
    assertThat(valid(frame("messageType", quoted(type))).type()).hasToString(type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"text\"", "\"Join\"", "\"\"", "\" TEXT\"", "\"PONG\""})
  void anyOtherMessageTypeIsWrong(String type) {
    assertThat(wrong(frame("messageType", type)))
        .isEqualTo(Map.of("messageType", "must be TEXT, JOIN, LEAVE or SIGNAL"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "\"1\"", "9", "17", "99999", "100000", "\"100000\""})
  void userIdsReachFromOneToAHundredThousand(String id) {
    String expected = id.replace("\"", "");
    assertThat(valid(frame("userId", id)).userId()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "-1",
        "100001",
        "999999",
        "1000000",
        "1.0",
        "1e1",
        "1E+2",
        "17.5",
        "123456789012345678901234567890",
        "\"0\"",
        "\"017\"",
        "\"100001\"",
        "\"+1\"",
        "\"-1\"",
        "\"1.0\"",
        "\" 1\"",
        "\"1 \"",
        "\"\"",
        "\"x\"",
        "\"1e1\"",
        "\"\u0661\"",
        "\"9999999999\""
      })
  void anyOtherUserIdIsWrong(String id) {
    assertThat(wrong(frame("userId", id))).isEqualTo(Map.of("userId", USER_ID_RULE));
  }

  /** The missing text was reported, too, although a message that deletes another needs none. */
  @Test
  void wrongNameOfAMessageThatDeletesIsTheOnlyError() {
    String frame =
        frame("username", quoted(" "))
            .replace("\"hello\"", "\"\"")
            .replaceFirst("}$", ",\"kind\":\"delete\",\"ref\":\"m-1\"}");
    assertThat(wrong(frame)).containsOnlyKeys("username");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "user_17-x", "Zoë Müller", "日本", "👩‍🚀", "عَلي", " a "})
  void usernamesAreInAnyScript(String name) {
    assertThat(valid(frame("username", quoted(name))).username()).isEqualTo(name);
    assertThat(valid(frame("username", quoted("😀".repeat(64)))).username()).hasSize(128);
  }

  /** Nothing that could imitate another name or break the line that shows it. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "  ", "\u3000", "abc\\n", "a\\u0000", "ann\u202e", "\u2066ann", "a\u2028b"})
  void anyOtherUsernameIsWrong(String name) {
    assertThat(wrong(frame("username", quoted(name)))).containsOnlyKeys("username");
    assertThat(wrong(frame("username", quoted("x".repeat(65)))).get("username"))
        .startsWith("must have 1 to 64 characters, not only spaces");
  }

  static Stream<String> messagesWithinBounds() {
    return Stream.of("x", " ", "x".repeat(500), "\u00e9".repeat(500), "\uD83D\uDE00".repeat(500));
  }

  @ParameterizedTest
  @MethodSource("messagesWithinBounds")
  void textHasOneToFiveHundredCodePoints(String message) {
    assertThat(valid(frame("message", quoted(message))).message()).isEqualTo(message);
  }

  static Stream<String> messagesTooLong() {
    return Stream.of("x".repeat(501), "\uD83D\uDE00".repeat(501), "\\u0000".repeat(501));
  }

  @ParameterizedTest
  @MethodSource("messagesTooLong")
  void longerMessageIsWrong(String message) {
    assertThat(wrong(frame("message", quoted(message)))).isEqualTo(Map.of("message", TEXT_RULE));
    assertThat(wrong(frame("messageType", "\"JOIN\"", "message", quoted(message))))
        .isEqualTo(Map.of("message", REMARK_RULE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"JOIN", "LEAVE"})
  void joinAndLeaveNeedNoMessage(String type) {
    assertThat(valid(frame("messageType", quoted(type), "message", "-")).message()).isEmpty();
    assertThat(valid(frame("messageType", quoted(type), "message", "\"\"")).message()).isEmpty();
    String longest = "x".repeat(500);
    assertThat(valid(frame("messageType", quoted(type), "message", quoted(longest))).message())
        .isEqualTo(longest);
  }

  @Test
  void textNeedsAMessage() {
    assertThat(wrong(frame("message", "\"\""))).isEqualTo(Map.of("message", TEXT_RULE));
    assertThat(wrong(frame("message", "-")))
        .isEqualTo(Map.of("message", "is missing: " + TEXT_RULE));
  }

  static Stream<Arguments> escapes() {
    return Stream.of(
        Arguments.of("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t"),
        Arguments.of("\\u0000", "\0"),
        Arguments.of("\\u00e9\\u00E9", "\u00e9\u00e9"),
        Arguments.of("\\ud83d\\uDE00", "\uD83D\uDE00"),
        Arguments.of("\u2028\u007f\ufeff", "\u2028\u007f\ufeff"));
  }

  @ParameterizedTest
  @MethodSource("escapes")
  void escapesAreResolved(String json, String message) {
    assertThat(valid(frame("message", quoted(json))).message()).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20T18:46:00Z",
        "2026-11-20T18:46:00.1Z",
        "2026-11-20T18:46:00.123456789Z",
        "2026-11-20T00:00:00+00:00",
        "2026-11-20T23:59:59-00:00",
        "2026-11-20T18:46:00.5+23:59",
        "2026-11-20T18:46:00-23:59",
        "2024-02-29T00:00:00Z",
        "2000-02-29T00:00:00Z",
        "0000-02-29T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
        "2026-01-31T00:00:00Z",
        "2026-04-30T00:00:00Z"
      })
  void timestampIsPassedThroughUntouched(String time) {
    assertThat(valid(frame("timestamp", quoted(time))).timestamp()).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "now",
        "2026-11-20",
        "2026-11-20T18:46Z",
        "2026-11-20T18:46:00",
        "2026-11-20T18:46:00z",
        "2026-11-20t18:46:00Z",
        "2026-11-20 18:46:00Z",
        "2026-11-20T18:46:00.Z",
        "2026-11-20T18:46:00.1234567890Z",
        "2026-11-20T18:46:00,5Z",
        "2026-11-20T18:46:60Z",
        "2026-11-20T18:60:00Z",
        "2026-11-20T24:00:00Z",
        "2026-11-20T18:46:00+24:00",
        "2026-11-20T18:46:00+00:60",
        "2026-11-20T18:46:00+1:00",
        "2026-11-20T18:46:00+0100",
        "2026-11-20T18:46:00+01",
        "2026-11-20T18:46:00+01:00Z",
        "2026-11-20T18:46:00ZZ",
        "2026-11-20T18:46:00.5",
        " 2026-11-20T18:46:00Z",
        "2026-11-20T18:46:00Z ",
        "2026-13-20T18:46:00Z",
        "2026-00-20T18:46:00Z",
        "2026-11-31T18:46:00Z",
        "2026-11-00T18:46:00Z",
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2024-02-30T00:00:00Z",
        "-026-11-20T18:46:00Z",
        "+12026-11-20T18:46:00Z",
        "12026-11-20T18:46:00Z",
        "2026/11/20T18:46:00Z",
        "2026-11-20T18-46-00Z",
        "2026-1-20T18:46:00.00Z",
        "\u0662026-11-20T18:46:00Z",
        "2026-11-20T18:46:00\u00b1"
      })
  void anyOtherTimestampIsWrong(String time) {
    assertThat(wrong(frame("timestamp", quoted(time))))
        .isEqualTo(
            Map.of("timestamp", "must be an RFC 3339 time such as 2026-11-20T18:46:00.123Z"));
  }

  static Stream<String> userIdsThatAreStrings() {
    return Stream.of("17", "0", "100001", "auth0:ann_1@example.org", "-", "x".repeat(64));
  }

  @ParameterizedTest
  @MethodSource("userIdsThatAreStrings")
  void userIdMayBeAStringWhereTheServerSaysSo(String id) {
    Parsed parsed =
        MessageCodec.parse(frame("userId", quoted(id)), ROOM, new ClientRules(UserIds.STRING));
    assertThat(parsed)
        .isInstanceOfSatisfying(
            Parsed.Valid.class, valid -> assertThat(valid.message().userId()).isEqualTo(id));
  }

  /** As written in a frame. */
  static Stream<String> noUserIds() {
    String tooLong = quoted("x".repeat(65));
    return Stream.of(
        "\"\"", "\"*\"", "\"a b\"", "\"a/b\"", "\"\u00e9\"", tooLong, "1.5", "1e5", "-5");
  }

  @ParameterizedTest
  @MethodSource("noUserIds")
  void invalidUserIdIsWrongEverywhere(String value) {
    String frame = frame("userId", value);
    String rule = "must have 1 to 64 of A-Z a-z 0-9 . _ : @ | -";
    assertThat(MessageCodec.parse(frame, ROOM, new ClientRules(UserIds.STRING)))
        .isEqualTo(new Parsed.Invalid(new TreeMap<>(Map.of("userId", rule)), "c-17"));
    assertThat(wrong(frame)).isEqualTo(Map.of("userId", USER_ID_RULE));
  }

  @Test
  void numberIsTheIdOfItsDigits() {
    assertThat(
            MessageCodec.parse(
                frame("userId", "4000000000"), ROOM, new ClientRules(UserIds.STRING)))
        .isEqualTo(
            MessageCodec.parse(
                frame("userId", "\"4000000000\""), ROOM, new ClientRules(UserIds.STRING)))
        .isInstanceOf(Parsed.Valid.class);
  }

  @Test
  void frameOfAnyUserMayBeNamed() {
    String after = NAME.replace("'4'", "'ann@example.org'");
    assertThat(valid(join(",'after':" + after)).request().past().after())
        .isEqualTo(
            new FrameName(
                "TEXT", "ann@example.org", "m-1", NAMED.serverTimestamp(), NAMED.serverMillis()));
  }

  static Stream<String> messageIds() {
    return Stream.of("x", "A.b_c:d-9", "x".repeat(64));
  }

  @ParameterizedTest
  @MethodSource("messageIds")
  void messageIdIsTaken(String id) {
    assertThat(valid(frame("messageId", quoted(id))).messageId()).isEqualTo(id);
    assertThat(Rule.MESSAGE_ID.allows().test(id)).isTrue();
  }

  @Test
  void messageIdIsOptional() {
    assertThat(valid(frame("messageId", "-")).messageId()).isNull();
  }

  static Stream<String> wrongMessageIds() {
    return Stream.of("", "x".repeat(65), "a b", "a/b", "\u00e9", "a\\u0000");
  }

  @ParameterizedTest
  @MethodSource("wrongMessageIds")
  void anyOtherMessageIdIsWrongAndNotReturned(String id) {
    assertThat(
            MessageCodec.parse(
                frame("messageId", quoted(id)), ROOM, new ClientRules(UserIds.NUMBER)))
        .isEqualTo(
            new Parsed.Invalid(
                new TreeMap<>(Map.of("messageId", "must have 1 to 64 of A-Z a-z 0-9 . _ : -")),
                null));
    assertThat(Rule.MESSAGE_ID.allows().test(id)).isFalse();
  }

  @Test
  void wellFormedMessageIdComesBackWithTheErrors() {
    assertThat(MessageCodec.parse(frame("userId", "0"), ROOM, new ClientRules(UserIds.NUMBER)))
        .isEqualTo(new Parsed.Invalid(new TreeMap<>(Map.of("userId", USER_ID_RULE)), "c-17"));
  }

  @Test
  void roomIsThatOfTheUrlOrAbsent() {
    assertThat(valid(frame("roomId", "\"room-1\""))).isEqualTo(valid(frame()));
    String rule = "must be absent or the room of the URL, room-1";
    assertThat(wrong(frame("roomId", "\"room-2\""))).isEqualTo(Map.of("roomId", rule));
    assertThat(wrong(frame("roomId", "\"ROOM-1\""))).isEqualTo(Map.of("roomId", rule));
    assertThat(wrong(frame("roomId", "null"))).isEqualTo(Map.of("roomId", rule + ", not be null"));
  }

  static Stream<Arguments> wrongTypes() {
    List<Arguments> cases = new ArrayList<>();
    for (String field :
        List.of("messageType", "userId", "username", "message", "timestamp", "messageId")) {
      Map.of("null", "null", "true", "a boolean", "{}", "an object", "[1]", "an array")
          .forEach((json, kind) -> cases.add(Arguments.of(field, json, kind)));
      if (!field.equals("userId")) {
        cases.add(Arguments.of(field, "5", "a number"));
      }
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("wrongTypes")
  void wrongTypeIsWrong(String field, String json, String kind) {
    assertThat(wrong(frame(field, json)).get(field)).startsWith("must").endsWith("not be " + kind);
  }

  @ParameterizedTest
  @ValueSource(strings = {"messageType", "userId", "username", "timestamp"})
  void missingFieldIsWrong(String field) {
    assertThat(wrong(frame(field, "-")).get(field)).startsWith("is missing: must");
  }

  @Test
  void allErrorsAreListedTogetherInFieldOrder() {
    assertThat(wrong("{}").keySet())
        .containsExactly("messageType", "userId", "username", "timestamp");
    assertThat(wrong(frame("message", "null", "userId", "0")).keySet())
        .containsExactly("userId", "message");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "-1.5e-7",
        "null",
        "false",
        "\"\\u0000\"",
        "[]",
        "{}",
        "[[1,[]]]",
        "{\"b\":{\"c\":{}}}"
      })
  void unknownFieldsAreIgnored(String value) {
    assertThat(valid(frame("color", value))).isEqualTo(valid(frame()));
    assertThat(valid(frame("serverId", value, "status", value))).isEqualTo(valid(frame()));
  }
}
