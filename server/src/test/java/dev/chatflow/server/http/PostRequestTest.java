package dev.chatflow.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.identity.Identity;
import dev.chatflow.message.ClientRules;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.UserIds;
import dev.chatflow.server.edge.Gate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostRequestTest {

  static final String TEXT =
      """
      {"userId":7,"username":"user7","message":"hello","timestamp":"2026-11-20T18:46:00Z",\
      "messageType":"TEXT","messageId":"m-1"}\
      """;

  private static final String NAMELESS = TEXT.replace(",\"messageId\":\"m-1\"", "");

  private static PostRequest.Content read(FakeExchange exchange) throws IOException {
    return read("5", exchange);
  }

  private static PostRequest.Content read(String room, FakeExchange exchange) throws IOException {
    Gate.Visitor visitor = new Gate.Visitor("127.0.0.1", null, Identity.ANYBODY);
    return new PostRequest(exchange.request(), visitor, new ClientRules(UserIds.NUMBER), 0)
        .read(room);
  }

  private static ErrorFrame wrong(FakeExchange exchange) throws IOException {
    return ((PostRequest.Content.Wrong) read(exchange)).error();
  }

  private static String id(FakeExchange exchange) throws IOException {
    return String.valueOf(((PostRequest.Content.Text) read(exchange)).message().messageId());
  }

  private static FakeExchange typed(String contentType) {
    return new FakeExchange("POST", "/api", "/rooms/5/messages")
        .header("Content-Type", contentType)
        .body(TEXT.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void textIsReadForItsRoom() throws Exception {
    var text = (PostRequest.Content.Text) read(FakeExchange.post("5", TEXT));
    assertThat(text.room().value()).isEqualTo("5");
    assertThat(text.message().message()).isEqualTo("hello");
    assertThat(text.message().messageId()).isEqualTo("m-1");
  }

  @Test
  void roomOfThePathIsChecked() throws Exception {
    var wrong = (PostRequest.Content.Wrong) read("a room", FakeExchange.post("a room", TEXT));
    assertThat(wrong.error().code()).isEqualTo(ErrorCode.BAD_ROOM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON; charset=UTF-8",
        "application/json;charset=\"utf-8\";profile=x"
      })
  void jsonInUtf8IsTaken(String contentType) throws Exception {
    assertThat(read(typed(contentType))).isInstanceOf(PostRequest.Content.Text.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/json;charset=latin1", "application/jsonp"})
  void otherFormsAreNot(String contentType) throws Exception {
    assertThat(wrong(typed(contentType)).code()).isEqualTo(ErrorCode.UNSUPPORTED_MEDIA_TYPE);
  }

  @Test
  void bodyWithoutTypeOrEncodedIsNotTaken() throws Exception {
    FakeExchange untyped = new FakeExchange("POST", "/api", "/rooms/5/messages");
    assertThat(wrong(untyped).code()).isEqualTo(ErrorCode.UNSUPPORTED_MEDIA_TYPE);
    FakeExchange zipped = FakeExchange.post("5", TEXT).header("Content-Encoding", "gzip");
    assertThat(wrong(zipped).code()).isEqualTo(ErrorCode.UNSUPPORTED_MEDIA_TYPE);
  }

  @Test
  void bodyIsBoundedWhetherItsLengthIsAnnouncedOrNot() throws Exception {
    String full = TEXT + " ".repeat(8_192 - TEXT.length());
    String large = full + " ";
    assertThat(wrong(FakeExchange.post("5", large)).code()).isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
    assertThat(wrong(FakeExchange.post("5", large).inChunks()).code())
        .isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
    assertThat(id(FakeExchange.post("5", full))).isEqualTo("m-1");
    assertThat(id(FakeExchange.post("5", full).inChunks())).isEqualTo("m-1");
  }

  @Test
  void invalidJsonOrUtf8IsMalformed() throws Exception {
    assertThat(wrong(FakeExchange.post("5", "[]")).code()).isEqualTo(ErrorCode.MALFORMED_JSON);
    FakeExchange latin = FakeExchange.post("5", "").body(new byte[] {(byte) 0xe9});
    assertThat(wrong(latin).text()).isEqualTo("not UTF-8");
  }

  @Test
  void onlyTextIsPublishedHere() throws Exception {
    ErrorFrame error = wrong(FakeExchange.post("5", TEXT.replace("TEXT", "JOIN")));
    assertThat(error.errors()).containsOnlyKeys("messageType");
  }

  @Test
  void keyNamesAMessageThatHasNoId() throws Exception {
    assertThat(id(FakeExchange.post("5", NAMELESS).header(PostRequest.KEY, "k-1")))
        .isEqualTo("k-1");
    assertThat(id(FakeExchange.post("5", TEXT).header(PostRequest.KEY, "m-1"))).isEqualTo("m-1");
  }

  /** The IETF's draft uses a quoted string. */
  @Test
  void keyMayBeQuoted() throws Exception {
    assertThat(id(FakeExchange.post("5", NAMELESS).header(PostRequest.KEY, "\"k-1\"")))
        .isEqualTo("k-1");
    assertThat(id(FakeExchange.post("5", TEXT).header(PostRequest.KEY, "\"m-1\"")))
        .isEqualTo("m-1");
  }

  @Test
  void repeatedMalformedOrUnknownKeyIsReportedWithTheOtherErrors() throws Exception {
    FakeExchange twice =
        FakeExchange.post("5", NAMELESS)
            .header(PostRequest.KEY, "k-1")
            .header(PostRequest.KEY, "k-2");
    assertThat(wrong(twice).errors()).containsEntry(PostRequest.KEY, "must be given once");
    FakeExchange other = FakeExchange.post("5", TEXT).header(PostRequest.KEY, "k-1");
    assertThat(wrong(other).errors().get(PostRequest.KEY)).endsWith("of the body, m-1");
    FakeExchange both =
        FakeExchange.post("5", TEXT.replace("user7", " ")).header(PostRequest.KEY, "not a key");
    assertThat(wrong(both).errors()).containsOnlyKeys(PostRequest.KEY, "username");
  }
}
