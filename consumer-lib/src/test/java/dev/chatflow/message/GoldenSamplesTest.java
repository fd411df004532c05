package dev.chatflow.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.room.FrameName;
import dev.chatflow.room.Past;
import dev.chatflow.room.Payload;
import dev.chatflow.room.RoomId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GoldenSamplesTest {

  private static final RoomId ROOM = new RoomId("5");
  private static final ChatMessage.Origin ORIGIN =
      new ChatMessage.Origin("server-2", "k3f9-1a2", "203.0.113.7");
  private static final long REFUSED = millis("2026-11-20T18:46:00.125Z");

  private static final ChatMessage JOIN =
      accepted(MessageType.JOIN, "", "2026-11-20T18:45:59.001Z", "c-17-000000", 3);
  private static final ChatMessage TEXT =
      accepted(MessageType.TEXT, "hello", "2026-11-20T18:46:00.123Z", "c-17-000042", 2);
  private static final ChatMessage LEAVE =
      accepted(MessageType.LEAVE, "bye", "2026-11-20T18:47:00.5Z", "c-17-000043", 0);
  private static final ChatMessage ESCAPES =
      accepted(
          MessageType.TEXT,
          "grüße \"日本\" 😀 🚀 a/b \\ \0\n\t\u001f",
          "2026-11-20T18:46:00.123Z",
          "c-17-000044",
          2);
  private static final ChatMessage MADE_LEAVE = madeByServer();
  private static final ChatMessage MUTE =
      new ChatMessage(
          ClientMessage.mute(
                  "17", millis("2026-11-20T18:58:00.007Z"), millis("2026-11-20T18:48:00.007Z"))
              .withMessageId(MADE_LEAVE.messageId()),
          ROOM,
          MADE_LEAVE.serverMillis(),
          ORIGIN,
          false);

  private static final ChatMessage WITH_DATA =
      carrying(
          "here",
          new Extras(
              "app.place",
              null,
              "{\"lat\":47.37, \"lon\":8.54,\"tags\":[\"a\",\"}\"],\"deep\":{\"\\u0061\":[[[{}]]]}}"));
  private static final ChatMessage REPLY =
      carrying("yes", new Extras("reply", new Extras.Ref("4", "c-4-000812"), null));
  private static final ChatMessage EDIT =
      carrying("hello!", new Extras("edit", new Extras.Ref("17", "c-17-000042"), null));
  private static final ChatMessage DELETE =
      carrying("", new Extras("delete", new Extras.Ref("17", "c-17-000042"), null));

  private static final ChatMessage MODERATED =
      carrying("", new Extras("delete", new Extras.Ref("4", "c-4-000812"), null));
  private static final ChatMessage SIGNAL =
      carrying(
          MessageType.SIGNAL,
          "",
          new Extras("app.read", new Extras.Ref("4", "c-4-000812"), "{\"x\":1}"));

  private static final String PICTURE = "{\"picture\": \"/17.png\"}";
  private static final Extras OF_PICTURE = new Extras(null, null, PICTURE);

  /** A message of a user whose name is not ASCII. */
  private static final ChatMessage OF_ZOE =
      new ChatMessage(
          new ClientMessage(
              MessageType.TEXT,
              "17",
              "Zoë \"Z\" 日本 👩‍🚀",
              "hello",
              "2026-11-20T18:46:00.123Z",
              "c-17-000042"),
          ROOM,
          millis("2026-11-20T18:46:00.125Z"),
          ORIGIN,
          false);

  /** A message of a user whose id is not a number. */
  private static final ChatMessage OF_ANN =
      new ChatMessage(
          new ClientMessage(
              MessageType.TEXT,
              "auth0:ann_1@example.org",
              "ann",
              "hello",
              "2026-11-20T18:46:00.123Z",
              "c-ann-000042"),
          ROOM,
          millis("2026-11-20T18:46:00.125Z"),
          ORIGIN,
          false);

  private static final ChatMessage RESENT =
      new ChatMessage(
          TEXT.content(),
          ROOM,
          millis("2026-11-20T18:46:07Z"),
          new ChatMessage.Origin("server-1", "k3f9-1b7", "203.0.113.7"),
          false);

  private final LineReader reader = new LineReader();

  private static long millis(String time) {
    return Instant.parse(time).toEpochMilli();
  }

  private static ChatMessage accepted(
      MessageType type, String message, String timestamp, String messageId, long millisLater) {
    ClientMessage content = new ClientMessage(type, "17", "user17", message, timestamp, messageId);
    return new ChatMessage(content, ROOM, millis(timestamp) + millisLater, ORIGIN, false);
  }

  private static ChatMessage carrying(String text, Extras extras) {
    return carrying(MessageType.TEXT, text, extras);
  }

  private static ChatMessage carrying(MessageType type, String text, Extras extras) {
    String time = "2026-11-20T18:46:00.123Z";
    ClientMessage content =
        new ClientMessage(type, "17", "user17", text, time, "c-17-000045", extras);
    return new ChatMessage(content, ROOM, millis(time) + 2, ORIGIN, false);
  }

  private static ChatMessage withPicture(ChatMessage join) {
    ClientMessage content = requesting(JoinRequest.NONE, OF_PICTURE);
    return new ChatMessage(content, ROOM, join.serverMillis(), join.origin(), false);
  }

  private static ChatMessage quiet(ChatMessage message) {
    return new ChatMessage(
        message.content(),
        message.room(),
        message.serverMillis(),
        message.origin(),
        message.synthetic(),
        false,
        true);
  }

  private static ChatMessage removed(ChatMessage leave) {
    return new ChatMessage(
        leave.content(), leave.room(), leave.serverMillis(), leave.origin(), true, true, false);
  }

  private static ChatMessage onPhone(ChatMessage message) {
    ChatMessage.Origin origin = message.origin();
    return new ChatMessage(
        message.content(),
        message.room(),
        message.serverMillis(),
        new ChatMessage.Origin(
            origin.serverId(), origin.connectionId(), origin.clientIp(), origin.stamp(), "phone"),
        false);
  }

  private static ChatMessage madeByServer() {
    String time = "2026-11-20T18:48:00.007Z";
    ClientMessage content =
        new ClientMessage(
            MessageType.LEAVE, "17", "user17", "", time, "0f8b7c52-6a0e-4d5b-9a53-2f4c1c7f9e10");
    return new ChatMessage(content, ROOM, millis(time), ORIGIN, true);
  }

  private static final FrameName SEEN =
      new FrameName(
          "TEXT",
          "4",
          "c-4-000812",
          "2026-11-20T18:45:01.125Z",
          millis("2026-11-20T18:45:01.125Z"));

  private static ClientMessage asking(Past past, int members) {
    return requesting(new JoinRequest("", past, members));
  }

  private static ClientMessage requesting(JoinRequest request) {
    return requesting(request, Extras.NONE);
  }

  private static ClientMessage requesting(JoinRequest request, Extras extras) {
    ClientMessage join = JOIN.content();
    return new ClientMessage(
        join.type(),
        join.userId(),
        join.username(),
        join.message(),
        join.timestamp(),
        join.messageId(),
        extras,
        request);
  }

  static Stream<Arguments> clientFrames() {
    return Stream.of(
        Arguments.of("client-join.json", JOIN.content()),
        Arguments.of("client-join-after.json", asking(new Past(SEEN, 50), MembersFrame.NOT_ASKED)),
        Arguments.of(
            "client-join-history.json", asking(new Past(null, 100), MembersFrame.NOT_ASKED)),
        Arguments.of(
            "client-join-device.json",
            requesting(new JoinRequest("phone", Past.NONE, MembersFrame.NOT_ASKED))),
        Arguments.of(
            "client-join-data.json",
            requesting(new JoinRequest("phone", Past.NONE, MembersFrame.NOT_ASKED), OF_PICTURE)),
        Arguments.of("client-join-members.json", asking(Past.NONE, 200)),
        Arguments.of("client-text.json", TEXT.content()),
        Arguments.of("client-leave.json", LEAVE.content()),
        Arguments.of("client-text-numeric-userid.json", TEXT.content()),
        Arguments.of("client-text-liberal.json", TEXT.content()),
        Arguments.of("client-text-escapes.json", ESCAPES.content()),
        Arguments.of("client-text-name.json", OF_ZOE.content()),
        Arguments.of("client-text-data.json", WITH_DATA.content()),
        Arguments.of(
            "client-text-data-only.json", carrying("", new Extras(null, null, "{}")).content()),
        Arguments.of("client-text-reply.json", REPLY.content()),
        Arguments.of(
            "client-text-reaction.json",
            carrying("👍", new Extras("reaction", new Extras.Ref("4", "c-4-000812"), null))
                .content()),
        Arguments.of("client-text-edit.json", EDIT.content()),
        Arguments.of("client-text-delete.json", DELETE.content()),
        Arguments.of(
            "client-signal.json",
            carrying(MessageType.SIGNAL, "", new Extras("typing", null, null)).content()),
        Arguments.of("client-signal-data.json", SIGNAL.content()),
        Arguments.of(
            "client-text-without-id.json",
            new ClientMessage(
                MessageType.TEXT,
                "17",
                "user17",
                "hello",
                "2026-11-20T19:46:00.123456789+01:00",
                null)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("clientFrames")
  void clientFrameIsUnderstood(String name, ClientMessage expected) {
    assertThat(MessageCodec.parse(Samples.text(name), ROOM, new ClientRules(UserIds.NUMBER)))
        .isEqualTo(new Parsed.Valid(expected));
  }

  @Test
  void userIdIsAcceptedWhereItMayBeAnyString() {
    String frame = Samples.text("client-text-string-userid.json");
    assertThat(MessageCodec.parse(frame, ROOM, new ClientRules(UserIds.STRING)))
        .isEqualTo(new Parsed.Valid(OF_ANN.content()));
    assertThat(MessageCodec.parse(frame, ROOM, new ClientRules(UserIds.NUMBER)))
        .isInstanceOfSatisfying(
            Parsed.Invalid.class,
            invalid ->
                assertThat(invalid.errors())
                    .containsExactly(Map.entry("userId", "must be an integer from 1 to 100000")));
  }

  @Test
  void onlyAModeratorChangesAMessageOfAnother() {
    String frame = Samples.text("client-text-delete-of-another.json");
    ClientRules rules = new ClientRules(UserIds.NUMBER);
    assertThat(MessageCodec.parse(frame, ROOM, rules)).isInstanceOf(Parsed.Invalid.class);
    assertThat(MessageCodec.parse(frame, ROOM, rules.ofModerator()))
        .isEqualTo(new Parsed.Valid(MODERATED.content()));
  }

  @Test
  void pingIsUnderstoodAndItsAnswerWrittenToTheByte() {
    assertThat(
            MessageCodec.parse(
                Samples.text("client-ping.json"), ROOM, new ClientRules(UserIds.NUMBER)))
        .isEqualTo(new Parsed.Ping());
    assertThat(MessageCodec.pong()).asString(UTF_8).isEqualTo(Samples.text("pong.json"));
  }

  @Test
  void membersFrameIsWrittenToTheByte() {
    MembersFrame frame =
        new MembersFrame(
            ROOM,
            3,
            true,
            List.of(
                new MembersFrame.Name("17", "user17", List.of(), null),
                new MembersFrame.Name(
                    "auth0:ann_1@example.org", "ann", List.of("phone", "tablet"), PICTURE)));
    assertThat(frame.toBytes()).asString(UTF_8).isEqualTo(Samples.text("members.json"));
    assertThat(new MembersFrame(ROOM, 1_250, true, List.of()).toBytes())
        .asString(UTF_8)
        .isEqualTo(Samples.text("members-quiet.json"));
  }

  @Test
  void membersFrameNamesNoMoreThanFitIntoAFrame() {
    String data = "{\"picture\":\"" + "x".repeat(2_000) + "\"}";
    List<MembersFrame.Name> members =
        IntStream.range(100, 300)
            .mapToObj(user -> new MembersFrame.Name("" + user, "name", List.of(), data))
            .toList();
    String frame = new String(new MembersFrame(ROOM, 200, true, members).toBytes(), UTF_8);
    assertThat(frame).hasSizeBetween(MembersFrame.MAX_BYTES, MembersFrame.MAX_BYTES + 2_500);
    assertThat(frame).contains("\"count\":200", "\"131\"").endsWith("}],\"status\":200}");
  }

  static Stream<String> malformedFrames() {
    return Samples.names("invalid-client-malformed-").stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("malformedFrames")
  void malformedClientFrameIsRefused(String name) {
    assertThat(MessageCodec.parse(Samples.text(name), ROOM, new ClientRules(UserIds.NUMBER)))
        .isInstanceOf(Parsed.Malformed.class);
  }

  static Stream<Arguments> wrongFields() {
    List<String> all =
        List.of("messageType", "roomId", "userId", "username", "message", "timestamp", "messageId");
    return Stream.of(
        Arguments.of("invalid-client-field-everything.json", all),
        Arguments.of("invalid-client-field-after.json", List.of("after")),
        Arguments.of("invalid-client-field-device.json", List.of("device")),
        Arguments.of("invalid-client-field-after-signal.json", List.of("after")),
        Arguments.of("invalid-client-field-signal-kind-missing.json", List.of("kind")),
        Arguments.of("invalid-client-field-history.json", List.of("history")),
        Arguments.of("invalid-client-field-data-array.json", List.of("data")),
        Arguments.of("invalid-client-field-data-null.json", List.of("data")),
        Arguments.of("invalid-client-field-data-too-long.json", List.of("data")),
        Arguments.of("invalid-client-field-kind.json", List.of("kind")),
        Arguments.of("invalid-client-field-kind-missing.json", List.of("kind")),
        Arguments.of("invalid-client-field-kind-mute.json", List.of("kind")),
        Arguments.of("invalid-client-field-ref-missing.json", List.of("ref")),
        Arguments.of("invalid-client-field-ref-of-another.json", List.of("refUserId")),
        Arguments.of("invalid-client-field-refuserid-alone.json", List.of("refUserId")),
        Arguments.of("invalid-client-field-members.json", List.of("members")),
        Arguments.of("invalid-client-field-join-data.json", List.of("data")),
        Arguments.of("invalid-client-field-message-empty.json", List.of("message")),
        Arguments.of("invalid-client-field-message-missing.json", List.of("message")),
        Arguments.of("invalid-client-field-message-null.json", List.of("message")),
        Arguments.of("invalid-client-field-message-too-long.json", List.of("message")),
        Arguments.of("invalid-client-field-messageid.json", List.of("messageId")),
        Arguments.of("invalid-client-field-messagetype.json", List.of("messageType")),
        Arguments.of("invalid-client-field-roomid.json", List.of("roomId")),
        Arguments.of("invalid-client-field-timestamp-leap-day.json", List.of("timestamp")),
        Arguments.of("invalid-client-field-timestamp-lower-case.json", List.of("timestamp")),
        Arguments.of("invalid-client-field-two.json", List.of("userId", "message")),
        Arguments.of("invalid-client-field-userid-exponent.json", List.of("userId")),
        Arguments.of("invalid-client-field-userid-fraction.json", List.of("userId")),
        Arguments.of("invalid-client-field-userid-range.json", List.of("userId")),
        Arguments.of("client-text-string-userid.json", List.of("userId")),
        Arguments.of("client-text-delete-of-another.json", List.of("refUserId")),
        Arguments.of("invalid-client-field-username.json", List.of("username")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongFields")
  void wrongFieldsOfAClientFrameAreNamed(String name, List<String> fields) {
    assertThat(MessageCodec.parse(Samples.text(name), ROOM, new ClientRules(UserIds.NUMBER)))
        .isInstanceOfSatisfying(
            Parsed.Invalid.class,
            invalid -> assertThat(invalid.errors().keySet()).containsExactlyElementsOf(fields));
  }

  static Stream<Arguments> broadcasts() {
    return Stream.of(
        Arguments.of("broadcast-join.json", JOIN),
        Arguments.of("broadcast-join-device.json", onPhone(JOIN)),
        Arguments.of("broadcast-join-data.json", onPhone(withPicture(JOIN))),
        Arguments.of("broadcast-text.json", TEXT),
        Arguments.of("broadcast-leave.json", LEAVE),
        Arguments.of("broadcast-leave-synthetic.json", MADE_LEAVE),
        Arguments.of("broadcast-join-quiet.json", quiet(JOIN)),
        Arguments.of("broadcast-leave-synthetic-removed.json", removed(MADE_LEAVE)),
        Arguments.of("broadcast-leave-synthetic-quiet.json", quiet(MADE_LEAVE)),
        Arguments.of("broadcast-text-string-userid.json", OF_ANN),
        Arguments.of("broadcast-text-name.json", OF_ZOE),
        Arguments.of("broadcast-text-data.json", WITH_DATA),
        Arguments.of("broadcast-text-reply.json", REPLY),
        Arguments.of("broadcast-text-edit.json", EDIT),
        Arguments.of("broadcast-text-delete.json", DELETE),
        Arguments.of("broadcast-signal.json", SIGNAL),
        Arguments.of("broadcast-signal-mute.json", MUTE),
        Arguments.of("broadcast-text-moderated.json", MODERATED),
        Arguments.of("broadcast-text-escapes.json", ESCAPES));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broadcasts")
  void broadcastIsWrittenToTheByte(String name, ChatMessage message) {
    assertThat(LineWriter.broadcast(message, false)).asString(UTF_8).isEqualTo(Samples.text(name));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broadcasts")
  void lineBecomesTheBroadcastInPlace(String name, ChatMessage message) {
    byte[] line = LineWriter.line(message);
    assertThat(reader.read(line, 0, line.length))
        .isInstanceOfSatisfying(
            Line.Message.class,
            read -> assertThat(text(read.payload())).isEqualTo(Samples.text(name)));
  }

  @Test
  void answerToAResendIsMarked() {
    assertThat(LineWriter.broadcast(RESENT, true))
        .asString(UTF_8)
        .isEqualTo(Samples.text("broadcast-text-duplicate.json"));
  }

  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of(
            "error-malformed.json",
            ErrorFrame.of(
                (Parsed.Malformed) judged("invalid-client-malformed-trailing-text.json"), REFUSED)),
        Arguments.of(
            "error-validation.json",
            ErrorFrame.of((Parsed.Invalid) judged("invalid-client-field-two.json"), REFUSED)),
        Arguments.of(
            "error-read-only.json",
            ErrorFrame.refusal(
                ErrorCode.READ_ONLY,
                "the token allows only reading in room 5",
                "c-17-000042",
                REFUSED)),
        Arguments.of(
            "error-muted.json",
            refusal(ErrorCode.MUTED, "a moderator has muted you in this room", 0)),
        Arguments.of(
            "error-not-joined.json",
            refusal(ErrorCode.NOT_JOINED, "not a member of the room: send JOIN first", 0)),
        Arguments.of(
            "error-already-joined.json",
            refusal(
                ErrorCode.ALREADY_JOINED,
                "already a member of the room: send LEAVE before another JOIN",
                0)),
        Arguments.of(
            "error-user-mismatch.json",
            refusal(ErrorCode.USER_MISMATCH, "userId and username must be those of the JOIN", 0)),
        Arguments.of(
            "error-service-unavailable.json",
            refusal(
                ErrorCode.SERVICE_UNAVAILABLE,
                "the broker cannot be reached: try again later",
                1000)),
        Arguments.of(
            "error-rate-limited.json",
            refusal(ErrorCode.RATE_LIMITED, "too many messages: try again later", 250)),
        Arguments.of(
            "error-forbidden.json",
            refusal(ErrorCode.FORBIDDEN, "the token is for user 17, not for 18", 0)),
        Arguments.of(
            "error-unauthorized.json",
            ErrorFrame.refusal(
                ErrorCode.UNAUTHORIZED,
                "a token is required: send it as Authorization: Bearer, or as a subprotocol",
                null,
                REFUSED)));
  }

  private static Parsed judged(String name) {
    return MessageCodec.parse(Samples.text(name), ROOM, new ClientRules(UserIds.NUMBER));
  }

  private static ErrorFrame refusal(ErrorCode code, String text, long retryAfterMillis) {
    return ErrorFrame.refusal(code, text, "c-17-000042", REFUSED).retryAfter(retryAfterMillis);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("errors")
  void errorIsWrittenToTheByte(String name, ErrorFrame error) {
    assertThat(MessageCodec.error(error)).asString(UTF_8).isEqualTo(Samples.text(name));
  }

  static Stream<Arguments> lines() {
    ChatMessage foreign =
        new ChatMessage(
            TEXT.content(),
            ROOM,
            TEXT.serverMillis(),
            new ChatMessage.Origin("server-2", "", ""),
            false);
    return Stream.of(
        Arguments.of("broker-line-text.json", TEXT, "k3f9-1a2"),
        Arguments.of("broker-line-synthetic-leave.json", MADE_LEAVE, "k3f9-1a2"),
        Arguments.of("broker-line-synthetic-mute.json", MUTE.asSynthetic(), "k3f9-1a2"),
        Arguments.of("broker-line-string-userid.json", OF_ANN, "k3f9-1a2"),
        Arguments.of("broker-line-data.json", WITH_DATA, "k3f9-1a2"),
        Arguments.of("broker-line-device.json", onPhone(WITH_DATA), "k3f9-1a2"),
        Arguments.of("broker-line-foreign.json", foreign, null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("lines")
  void brokerLineIsWrittenToTheByteAndRead(
      String name, ChatMessage message, @Nullable String connectionId) {
    byte[] sample = Samples.bytes(name);
    assertThat(LineWriter.line(message)).asString(UTF_8).isEqualTo(Samples.text(name));
    assertThat(reader.read(sample, 0, sample.length))
        .isInstanceOfSatisfying(
            Line.Message.class,
            read -> {
              assertThat(read.message()).isEqualTo(message);
              assertThat(read.connectionId()).isEqualTo(connectionId);
            });
  }

  @Test
  void batchIsWrittenToTheByteAndTakenApart() {
    List<ChatMessage> messages = List.of(JOIN, TEXT, ESCAPES, LEAVE);
    Batch batch = new Batch();
    messages.forEach(message -> batch.add(ROOM, LineWriter.line(message)));
    assertThat(batch.body()).asString(UTF_8).isEqualTo(Samples.text("broker-batch.ndjson"));
    byte[] body = Samples.bytes("broker-batch.ndjson");
    List<ChatMessage> read = new ArrayList<>();
    Batch.forEachLine(
        body, (from, to) -> read.add(((Line.Message) reader.read(body, from, to)).message()));
    assertThat(read).isEqualTo(messages);
  }

  @Test
  void everySampleIsTested() {
    List<String> tested =
        Stream.of(clientFrames(), wrongFields(), broadcasts(), errors(), lines())
            .flatMap(arguments -> arguments)
            .map(arguments -> (String) arguments.get()[0])
            .toList();
    assertThat(Samples.names(""))
        .filteredOn(name -> !name.startsWith("invalid-client-malformed-"))
        .filteredOn(name -> !name.equals("broker-batch.ndjson"))
        .filteredOn(name -> !name.equals("broker-header-statistics.txt"))
        .filteredOn(name -> !name.equals("broadcast-text-duplicate.json"))
        .filteredOn(name -> !name.startsWith("members"))
        .filteredOn(name -> !List.of("client-ping.json", "pong.json").contains(name))
        .containsExactlyInAnyOrderElementsOf(tested);
  }

  private static String text(Payload payload) {
    return new String(payload.bytes(), payload.offset(), payload.length(), UTF_8);
  }
}
