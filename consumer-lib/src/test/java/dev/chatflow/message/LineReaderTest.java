package dev.chatflow.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.chatflow.message.JsonValue.Kind;
import dev.chatflow.room.Payload;
import dev.chatflow.room.RoomId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {

  private static final ChatMessage MESSAGE =
      new ChatMessage(
          new ClientMessage(
              MessageType.TEXT, "17", "user17", "hello", "2026-11-20T18:46:00.123Z", "c-17"),
          new RoomId("5"),
          1_795_200_360_125L,
          new ChatMessage.Origin("server-2", "k3f9-1a2", "203.0.113.7"),
          false);

  private final LineReader reader = new LineReader();

  private Line.Message message(byte[] line) {
    Line read = reader.read(line, 0, line.length);
    assertThat(read).isInstanceOf(Line.Message.class);
    return (Line.Message) read;
  }

  /** For 18,000 members, the user id was kept three times and the connection id four times. */
  @Test
  void senderNamesAreShared() {
    byte[] line = LineWriter.line(MESSAGE);
    Line.Message message = message(line);
    assertThat(message.userId()).isEqualTo("17").isSameAs(message.userId());
    assertThat(message.connectionId()).isEqualTo("k3f9-1a2").isSameAs(message.connectionId());
    assertThat(message.serverId()).isEqualTo("server-2").isSameAs(message(line.clone()).serverId());
    assertThat(message.room()).isSameAs(message(line.clone()).room());
  }

  @Test
  void textAndDataOfAMutedUsersJoinAreRemovedInPlace() throws Exception {
    Extras data = new Extras(null, null, "{\"rude\":true}");
    byte[] line = LineWriter.line(join("rude", data));
    Line.Message read = message(line);
    read.silence();
    assertThat(read.data()).isNull();
    assertThat(read.message()).isEqualTo(join("", Extras.NONE));
    assertThat(text(read.payload()))
        .isEqualTo(new String(LineWriter.broadcast(join("", Extras.NONE), false), UTF_8));
  }

  private static ChatMessage join(String text, Extras extras) {
    ClientMessage content =
        new ClientMessage(
            MessageType.JOIN, "17", "user17", text, "2026-11-20T18:46:00Z", "j-17", extras);
    return new ChatMessage(
        content, MESSAGE.room(), MESSAGE.serverMillis(), MESSAGE.origin(), false);
  }

  private String reason(byte[] line) {
    Line read = reader.read(line, 0, line.length);
    assertThat(read).isInstanceOf(Line.Poison.class);
    return ((Line.Poison) read).reason();
  }

  private static String text(Payload payload) throws CharacterCodingException {
    ByteBuffer bytes = ByteBuffer.wrap(payload.bytes(), payload.offset(), payload.length());
    return UTF_8.newDecoder().decode(bytes).toString();
  }

  private JsonObject json() {
    return JsonParser.parseString(new String(LineWriter.line(MESSAGE), UTF_8)).getAsJsonObject();
  }

  private static byte[] bytes(JsonObject json) {
    return json.toString().getBytes(UTF_8);
  }

  private String changed(String before, String after) {
    String line = new String(LineWriter.line(MESSAGE), UTF_8);
    assertThat(line).contains(before);
    return line.replace(before, after);
  }

  private static ChatMessage carrying(Extras extras) {
    ClientMessage text = MESSAGE.content();
    ClientMessage content =
        new ClientMessage(
            text.type(),
            text.userId(),
            text.username(),
            text.message(),
            text.timestamp(),
            text.messageId(),
            extras);
    return new ChatMessage(
        content, MESSAGE.room(), MESSAGE.serverMillis(), MESSAGE.origin(), false);
  }

  @Test
  void otherContentWithAKnownIdIsANewMessage() {
    Extras data = new Extras(null, null, "{\"a\":1}");
    Extras other = new Extras(null, null, "{\"a\":2}");
    assertThat(message(LineWriter.line(carrying(data))).idHash())
        .isEqualTo(message(LineWriter.line(carrying(data))).idHash())
        .isNotEqualTo(message(LineWriter.line(carrying(other))).idHash())
        .isNotEqualTo(message(LineWriter.line(MESSAGE)).idHash());
  }

  /** Other publishers obey the same rules as clients, however they order the fields. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ",\"kind\":\"edit\",\"ref\":\"m-1\",\"refUserId\":\"18\"",
        ",\"kind\":\"reply\"",
        ",\"ref\":\"m-1\",\"refUserId\":\"17\"",
        ",\"kind\":\"a b\"",
        ",\"data\":[]",
        ",\"data\":{\"a\":}",
        ",\"data\":{\"a\":1,\"a\":2}"
      })
  void wrongExtrasOfALineArePoison(String extras) {
    String last = changed("\"status\":200", "\"status\":200" + extras);
    assertThat(reason(last.getBytes(UTF_8))).isNotEmpty();
    String first = changed("{\"messageType\"", "{" + extras.substring(1) + ",\"messageType\"");
    assertThat(reason(first.getBytes(UTF_8))).isNotEmpty();
  }

  @Test
  void lineBreaksInTheDataOfAnotherPublisherBecomeSpaces() {
    String line = changed("\"status\":200", "\"status\":200,\"data\":{\r\n\"a\":\n1}");
    assertThat(message(line.getBytes(UTF_8)).extras()).isEqualTo(",\"data\":{  \"a\": 1}");
  }

  @Test
  void everyPartOfALineIsFound() {
    Line.Message read = message(LineWriter.line(MESSAGE));
    assertThat(read.type()).isEqualTo(MessageType.TEXT);
    assertThat(read.room()).isEqualTo(new RoomId("5"));
    assertThat(read.userId()).isEqualTo("17");
    assertThat(read.username()).isEqualTo("user17");
    assertThat(read.serverMillis()).isEqualTo(1_795_200_360_125L);
    assertThat(read.serverId()).isEqualTo("server-2");
    assertThat(read.connectionId()).isEqualTo("k3f9-1a2");
    assertThat(read.message()).isEqualTo(MESSAGE);
  }

  @Test
  void payloadIsMadeInPlaceAndTheRestIsStillThere() throws CharacterCodingException {
    byte[] line = LineWriter.line(MESSAGE);
    Line.Message read = message(line);
    assertThat(read.payload().bytes()).isSameAs(line);
    assertThat(text(read.payload()))
        .isEqualTo(new String(LineWriter.broadcast(MESSAGE, false), UTF_8));
    assertThat(read.message()).isEqualTo(MESSAGE);
    assertThat(read.connectionId()).isEqualTo("k3f9-1a2");
  }

  @Test
  void lineInTheMiddleOfABodyIsRead() throws CharacterCodingException {
    String line = new String(LineWriter.line(MESSAGE), UTF_8);
    byte[] body = (line + "\n" + line + "\n" + line).getBytes(UTF_8);
    int from = line.length() + 1;
    Line.Message middle = (Line.Message) reader.read(body, from, from + line.length());
    assertThat(text(middle.payload()))
        .isEqualTo(new String(LineWriter.broadcast(MESSAGE, false), UTF_8));
    assertThat(reader.read(body, 0, line.length())).isInstanceOf(Line.Message.class);
    assertThat(reader.read(body, 0, line.length() - 1)).isInstanceOf(Line.Poison.class);
  }

  @Test
  void foreignLineWithoutSessionIsShownAsAWhole() throws CharacterCodingException {
    String broadcast = new String(LineWriter.broadcast(MESSAGE, false), UTF_8);
    Line.Message read = message(broadcast.getBytes(UTF_8));
    assertThat(read.connectionId()).isNull();
    assertThat(text(read.payload())).isEqualTo(broadcast);
    assertThat(read.message().origin()).isEqualTo(new ChatMessage.Origin("server-2", "", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "clientIp"})
  void eitherOfTheConnectionsFieldsMayBeMissing(String field) throws CharacterCodingException {
    JsonObject json = json();
    json.remove(field);
    Line.Message read = message(bytes(json));
    assertThat(text(read.payload()))
        .isEqualTo(new String(LineWriter.broadcast(MESSAGE, false), UTF_8));
  }

  @Test
  void unknownFieldsDoNotReachClients() throws CharacterCodingException {
    JsonObject json = json();
    json.addProperty("duplicate", true);
    assertThat(text(message(bytes(json)).payload()))
        .isEqualTo(new String(LineWriter.broadcast(MESSAGE, false), UTF_8));
  }

  @Test
  void numericUserIdAndOtherFormsOfTimeAreMadeCanonical() throws CharacterCodingException {
    JsonObject json = json();
    json.add("userId", new JsonPrimitive(17));
    json.addProperty("serverTimestamp", "2026-11-20T19:46:00.1259+01:00");
    assertThat(text(message(bytes(json)).payload()))
        .isEqualTo(new String(LineWriter.broadcast(MESSAGE, false), UTF_8));
  }

  @Test
  void missingMessageOfAJoinIsEmpty() {
    JsonObject json = json();
    json.addProperty("messageType", "JOIN");
    json.remove("message");
    assertThat(message(bytes(json)).message().content().message()).isEmpty();
  }

  static Stream<Arguments> linesThatNobodyCanBeShown() {
    return Stream.of(
        Arguments.of("\"userId\":\"17\"", "\"userId\":\"a b\"", "userId must"),
        Arguments.of("\"userId\":\"17\"", "\"userId\":\"*\"", "userId must"),
        Arguments.of("\"userId\":\"17\"", "\"userId\":1.5", "userId must"),
        Arguments.of("\"userId\":\"17\"", "\"userId\":\"" + "x".repeat(65) + "\"", "userId must"),
        Arguments.of("\"userId\":\"17\"", "\"userId\":\"\"", "userId must"),
        Arguments.of("user17", "", "username must"),
        Arguments.of("user17", "ann\u202e", "username must"),
        Arguments.of("hello", "", "message must"),
        Arguments.of("hello", "x".repeat(4_001), "message must"),
        Arguments.of("hello", "\\ud83d", "lone surrogate"),
        Arguments.of("hello", "\\ude00", "lone surrogate"),
        Arguments.of("hello", "\\ud83d\\u0041", "lone surrogate"),
        Arguments.of("hello", "a\tb", "not valid JSON"),
        Arguments.of("hello", "\\x", "not valid JSON"),
        Arguments.of("hello", "\\u00g0", "not valid JSON"),
        Arguments.of("18:46:00.123Z", "18:46:61.123Z", "timestamp must"),
        Arguments.of("18:46:00.125Z", "18:46:61.125Z", "serverTimestamp must"),
        Arguments.of("2026-11-20T18:46:00.125Z", "1969-12-31T23:59:59.999Z", "serverTimestamp"),
        Arguments.of("c-17", "c 17", "messageId must"),
        Arguments.of("c-17", "", "messageId must"),
        Arguments.of("c-17", "x".repeat(65), "messageId must"),
        Arguments.of("\"roomId\":\"5\"", "\"roomId\":\"a b\"", "roomId must"),
        Arguments.of("\"roomId\":\"5\"", "\"roomId\":\"\"", "roomId must"),
        Arguments.of("server-2", "", "serverId must"),
        Arguments.of("server-2", "s\u00e9rver", "serverId must"),
        Arguments.of("\"status\":200", "\"status\":201", "status must be 200"),
        Arguments.of("\"status\":200", "\"status\":\"200\"", "status must be 200"),
        Arguments.of("200,", "200,\"synthetic\":true,", "only a LEAVE"),
        Arguments.of("200,", "200,\"synthetic\":false,", "synthetic must be true"),
        Arguments.of("k3f9-1a2", "", "session must"),
        Arguments.of("203.0.113.7", "\\u0000", "clientIp must"),
        Arguments.of("TEXT", "text", "messageType must"),
        Arguments.of(
            "\"status\":200", "\"status\":200,\"status\":200", "the key 'status' occurs twice"),
        Arguments.of("7\"}", "7\"}}", "must be one JSON object and"),
        Arguments.of("7\"}", "7\"", "not valid JSON"));
  }

  @ParameterizedTest(name = "{index} {1}")
  @MethodSource("linesThatNobodyCanBeShown")
  void lineThatBreaksARuleIsPoison(String before, String after, String reason) {
    assertThat(reason(changed(before, after).getBytes(UTF_8))).startsWith(reason);
  }

  @Test
  void reasonOfPoisonIsShort() {
    assertThat(reason("{}".getBytes(UTF_8))).hasSize(255).startsWith("messageType is missing");
    assertThat(reason(new byte[0])).startsWith("not valid JSON");
    assertThat(reason(new byte[] {'{', (byte) 0xFF, '}'})).isEqualTo("not valid UTF-8");
  }

  static Stream<Arguments> bytesThatAreNotUtf8() {
    return Stream.of("80", "c0af", "c1bf", "c3", "e0809f", "e282", "eda080", "f0808080", "f4908080")
        .map(hex -> Arguments.of(hex, HexFormat.of().parseHex(hex)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bytesThatAreNotUtf8")
  void lineThatIsNotUtf8IsPoison(String hex, byte[] broken) {
    byte[] line = changed("hello", "x".repeat(broken.length)).getBytes(UTF_8);
    int at = new String(line, UTF_8).indexOf("\"x") + 1;
    System.arraycopy(broken, 0, line, at, broken.length);
    assertThat(reason(line)).isEqualTo("not valid UTF-8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\ud800\udc00"})
  void edgesOfUtf8AreRead(String text) {
    assertThat(message(changed("hello", text).getBytes(UTF_8)).message().content().message())
        .isEqualTo(text);
  }

  @Test
  void escapedSurrogatePairCountsAsOneCharacter() {
    byte[] longest = changed("hello", "\\uD83D\\udE00".repeat(500)).getBytes(UTF_8);
    Line.Message read = message(longest);
    assertThat(read.payload().bytes()).isSameAs(longest);
    assertThat(read.message().content().message()).isEqualTo("\uD83D\uDE00".repeat(500));
  }

  static LongStream seeds() {
    return new Random(25).longs(20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void canonicalLineAndAnyOtherFormOfItReadAlike(long seed) throws CharacterCodingException {
    Random random = new Random(seed);
    for (int i = 0; i < 25; i++) {
      ChatMessage message = RandomMessages.next(random);
      byte[] line = LineWriter.line(message);
      Line.Message fast = message(line);
      Line.Message slow = message(shuffled(line, random));
      assertThat(fast.payload().bytes()).isSameAs(line);
      assertThat(text(fast.payload()))
          .isEqualTo(text(slow.payload()))
          .isEqualTo(new String(LineWriter.broadcast(message, false), UTF_8));
      assertThat(fast.message()).isEqualTo(slow.message()).isEqualTo(message);
      assertThat(fast.idHash()).isEqualTo(slow.idHash());
    }
  }

  /** The same fields in another order, with whitespace and Gson's choice of escapes. */
  private static byte[] shuffled(byte[] line, Random random) {
    JsonObject json = JsonParser.parseString(new String(line, UTF_8)).getAsJsonObject();
    List<String> names = new ArrayList<>(json.keySet());
    Collections.shuffle(names, random);
    JsonObject shuffled = new JsonObject();
    names.forEach(name -> shuffled.add(name, json.get(name)));
    return (" " + shuffled + "\r").getBytes(UTF_8);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void mutatedLineIsPoisonOrAWholeMessage(long seed) throws CharacterCodingException {
    Random random = new Random(seed);
    int shown = 0;
    for (int i = 0; i < 150; i++) {
      byte[] line = Mutation.of(LineWriter.line(RandomMessages.next(random)), random);
      if (reader.read(line, 0, line.length) instanceof Line.Message read) {
        shown++;
        Map<Field, JsonValue> fields = fields(text(read.payload()));
        assertThat(fields).doesNotContainKeys(Field.SESSION, Field.CLIENT_IP);
        ChatMessage message = read.message();
        assertThat(fields)
            .containsEntry(Field.MESSAGE, new JsonValue(Kind.STRING, message.content().message()));
        assertThat(message(LineWriter.line(message)).message()).isEqualTo(message);
      }
    }
    assertThat(shown).isBetween(1, 149);
  }

  private static Map<Field, JsonValue> fields(String payload) {
    try {
      return StrictObject.fieldsOf(payload);
    } catch (MalformedTextException e) {
      throw new AssertionError(payload, e);
    }
  }

  @Test
  void hashesOfSimilarIdsDiffer() {
    Set<Long> hashes = new HashSet<>();
    Set<Integer> highHalves = new HashSet<>();
    IntStream.range(0, 20_000)
        .mapToObj(i -> ("c-17-" + i).getBytes(UTF_8))
        .mapToLong(id -> IdHash.of(id, 0, id.length))
        .forEach(hash -> {
          hashes.add(hash);
          highHalves.add((int) (hash >>> 32));
        });
    assertThat(hashes).hasSize(20_000);
    assertThat(highHalves).hasSizeGreaterThan(19_990); // of 2^32: hardly any pair collides
  }

  @Test
  void hashDependsOnTheBytesAlone() {
    byte[] id = "0f8b7c52-6a0e-4d5b-9a53-2f4c1c7f9e10".getBytes(UTF_8);
    byte[] moved = new byte[id.length + 3];
    System.arraycopy(id, 0, moved, 3, id.length);
    assertThat(IdHash.of(moved, 3, moved.length)).isEqualTo(IdHash.of(id, 0, id.length));
    assertThat(IdHash.of(id, 0, id.length)).isNotEqualTo(IdHash.of(id, 0, id.length - 1));
  }

  @Test
  void rangeOutsideTheBodyIsABug() {
    assertThatThrownBy(() -> reader.read(new byte[4], 2, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
