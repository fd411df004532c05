package dev.chatflow.server.document;

import static dev.chatflow.server.document.ApiDocument.ASYNC_API;
import static dev.chatflow.server.document.ApiDocument.OPEN_API;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.Samples;
import dev.chatflow.room.CloseReason;
import dev.chatflow.server.document.ApiDocument.Dialect;
import dev.chatflow.support.GeneratedPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The API documents against the golden samples, the enums and each other. */
class ApiDocumentsTest {

  /** Rules that a schema cannot express: the room of the address, and how a number was written. */
  private static final Set<String> BEYOND_SCHEMAS =
      Set.of(
          "invalid-client-field-roomid.json",
          "invalid-client-field-userid-exponent.json",
          "invalid-client-field-userid-fraction.json");

  /** Sent by the container, so not in {@link CloseReason}. */
  private static final List<String> OF_THE_CONTAINER = List.of("1002", "1007");

  static List<ApiDocument> documents() {
    return List.of(ASYNC_API, OPEN_API);
  }

  static Stream<Arguments> samples(String prefix) {
    return Samples.names(prefix).stream()
        .flatMap(name -> Stream.of(Dialect.values()).map(dialect -> Arguments.of(name, dialect)));
  }

  static Stream<Arguments> right() {
    return samples("client-");
  }

  static Stream<Arguments> wrong() {
    return samples("invalid-client-field-");
  }

  static Stream<Arguments> ours() {
    return Stream.of("broadcast-", "error-", "members", "pong").flatMap(ApiDocumentsTest::samples);
  }

  /** Returns the schemas of the frames that the server accepts. */
  private static List<String> clientSchemas() {
    return ASYNC_API
        .root()
        .path("operations")
        .valueStream()
        .filter(operation -> operation.path("action").asString().equals("receive"))
        .flatMap(operation -> operation.path("messages").valueStream())
        .map(ApiDocumentsTest::message)
        .map(message -> ApiDocument.schemaOf(message.path("payload")))
        .toList();
  }

  /** Returns a channel's message, which is a reference itself. */
  private static JsonNode message(JsonNode reference) {
    JsonNode ofChannel = ASYNC_API.follow(reference.path("$ref").asString());
    return ASYNC_API.follow(ofChannel.path("$ref").asString());
  }

  private static boolean fitsAFrame(String name, Dialect dialect) {
    String text = Samples.text(name);
    return clientSchemas().stream()
        .anyMatch(schema -> ASYNC_API.wrongIn(text, schema, dialect).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("right")
  void framesOfClientsFit(String name, Dialect dialect) {
    assertThat(fitsAFrame(name, dialect)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void wrongFieldsFitNoFrame(String name, Dialect dialect) {
    assertThat(fitsAFrame(name, dialect)).isEqualTo(BEYOND_SCHEMAS.contains(name));
  }

  @ParameterizedTest
  @MethodSource("ours")
  void framesOfServersHaveNoOtherFields(String name, Dialect dialect) {
    String text = Samples.text(name);
    String schema = ApiDocument.schemaOfFrame(text);
    assertThat(ASYNC_API.wrongInOurs(text, schema, dialect)).isEmpty();
    String more = text.replaceFirst("}$", ",\"other\":1}");
    assertThat(ASYNC_API.wrongInOurs(more, schema, dialect)).isNotEmpty();
    assertThat(ASYNC_API.wrongIn(more, schema, dialect)).as("clients ignore it").isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void missingFieldsOfABroadcastAreMissed(Dialect dialect) {
    String text = Samples.text("broadcast-text.json");
    assertThat(ASYNC_API.wrongIn(text.replace("\"status\":200", "\"s\":1"), "Broadcast", dialect))
        .isNotEmpty();
    assertThat(ASYNC_API.wrongIn("{", "Broadcast", dialect)).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("documents")
  void errorCodesAreThoseOfTheServer(ApiDocument document) {
    JsonNode error = document.schema("Error").path("properties");
    assertThat(error.at("/errorCode/enum").valueStream().map(JsonNode::asString))
        .containsExactlyElementsOf(Stream.of(ErrorCode.values()).map(Enum::name).toList());
    assertThat(error.at("/status/enum").valueStream().map(JsonNode::asInt))
        .containsExactlyElementsOf(
            new TreeSet<>(Stream.of(ErrorCode.values()).map(ErrorCode::status).toList()));
  }

  @Test
  void closeCodesAreThoseOfTheServer() {
    Set<String> codes = new TreeSet<>(OF_THE_CONTAINER);
    Stream.of(CloseReason.values()).forEach(reason -> codes.add("" + reason.code()));
    assertThat(ASYNC_API.root().at("/channels/room/x-close-codes").propertyNames())
        .containsExactlyElementsOf(codes);
  }

  @Test
  void tablesOfTheProtocolHaveTheCodesOfTheDocument() throws IOException {
    JsonNode room = ASYNC_API.root().at("/channels/room");
    List<String> errors =
        new ArrayList<>(
            List.of("| `errorCode` | `status` | reason | connection |", "|---|---|---|---|"));
    room.path("x-error-codes")
        .propertyStream()
        .forEach(error ->
            errors.add(
                "| `%s` | %d | %s | %s |"
                    .formatted(
                        error.getKey(),
                        ErrorCode.valueOf(error.getKey()).status(),
                        error.getValue().path("reason").asString(),
                        error.getValue().path("connection").asString())));
    GeneratedPart.isCurrent("protocol/README.md", "errors", errors);
    List<String> closes = new ArrayList<>(List.of("| code | meaning | action |", "|---|---|---|"));
    room.path("x-close-codes")
        .propertyStream()
        .forEach(close ->
            closes.add(
                "| %s | %s | %s |"
                    .formatted(
                        close.getKey(),
                        close.getValue().path("meaning").asString(),
                        close.getValue().path("do").asString())));
    GeneratedPart.isCurrent("protocol/README.md", "closes", closes);
  }

  @Test
  void schemasOfOneNameAreTheSameInBoth() {
    List<String> shared =
        ASYNC_API.schemaNames().stream().filter(OPEN_API.schemaNames()::contains).toList();
    assertThat(shared).contains("ClientText", "Broadcast", "Error");
    assertThat(shared)
        .allSatisfy(name -> assertThat(OPEN_API.schema(name)).isEqualTo(ASYNC_API.schema(name)));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyReferenceLeadsSomewhereAndEverySchemaIsUsed(ApiDocument document) {
    Set<String> unused = new TreeSet<>(document.schemaNames());
    ApiDocument.visit(
        document.root(),
        node -> {
          if (node.has("$ref")) {
            assertThat(document.follow(node.get("$ref").asString()).isObject())
                .as("" + node)
                .isTrue();
            assertThat(node.size()).as("draft 7 ignores the siblings of $ref: " + node).isOne();
            unused.remove(ApiDocument.schemaOf(node));
          }
        });
    assertThat(unused).isEmpty();
  }

  /** Client generators do not handle it. */
  @ParameterizedTest
  @MethodSource("documents")
  void noTypeIsNull(ApiDocument document) {
    ApiDocument.visit(
        document.root(),
        node -> {
          assertThat(node.path("type").isArray()).as("" + node).isFalse();
          assertThat(node.path("type").asString("")).isNotEqualTo("null");
        });
  }
}
