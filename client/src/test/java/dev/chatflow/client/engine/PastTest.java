package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.chatflow.client.engine.Past.Part;
import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.record.Tally;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests requests for past frames and the classification of received frames. */
final class PastTest {
  private final Tally tally = new Tally();

  private Past past(TestPlan plan) {
    return new Past(plan.build(), tally);
  }

  /** Returns the past of a resuming user whose last frame has this number. */
  private Past resuming(int frame) {
    Past past = past(new TestPlan().resuming().history(2));
    byte[] bytes = frame(frame);
    past.took(bytes, 0, bytes.length);
    return past;
  }

  private static byte[] frame(int number) {
    String json =
        "{\"messageType\":\"TEXT\",\"userId\":\"7\",\"messageId\":\"m-"
            + number
            + "\",\"serverTimestamp\":\"2026-11-22T10:00:01.125Z\",\"status\":200}";
    return json.getBytes(StandardCharsets.US_ASCII);
  }

  private static Part shown(Past past, int number) {
    byte[] bytes = frame(number);
    return past.before(bytes, 0, bytes.length);
  }

  private static JsonObject requested(Past past, boolean back) {
    return JsonParser.parseString("{\"a\":1" + past.ask(back) + "}").getAsJsonObject();
  }

  @Test
  void nothingIsRequestedByDefault() {
    Past past = past(new TestPlan().reconnecting());
    assertThat(past.keeps()).isFalse();
    byte[] bytes = frame(1);
    past.took(bytes, 0, bytes.length);
    assertThat(past.ask(true)).isEmpty();
    assertThat(shown(past, 1)).isEqualTo(Part.OTHER);
    assertThat(past.cameBack()).as("unanswered texts are sent again").isTrue();
    assertThat(tally.of(Count.NO_FRAME)).isZero();
  }

  @Test
  void onlyReconnectingUsersNameTheirLastFrame() {
    Past past = resuming(4);
    assertThat(requested(past, false).keySet()).containsExactly("a", "history");
    JsonObject json = requested(past, true);
    assertThat(json.get("history").getAsInt()).isEqualTo(2);
    assertThat(json.getAsJsonObject("after").get("messageId").getAsString()).isEqualTo("m-4");
  }

  @Test
  void namedFrameIsExpectedOnceAndLaterFramesCountAsCaughtUp() {
    Past past = resuming(4);
    past.ask(true);
    assertThat(shown(past, 4)).isEqualTo(Part.NAMED);
    assertThat(past.isResumed()).isTrue();
    assertThat(shown(past, 5)).isEqualTo(Part.OTHER);
    assertThat(shown(past, 4)).as("the second copy").isEqualTo(Part.OTHER);
    assertThat(past.cameBack()).isTrue();
    assertThat(tally.of(Count.RESUMED)).isEqualTo(1);
    assertThat(tally.of(Count.CAUGHT_UP)).isEqualTo(2);
  }

  @Test
  void otherFramesAreHistoryUpToTheRequestedNumber() {
    Past past = resuming(4);
    past.ask(true);
    assertThat(shown(past, 5)).isEqualTo(Part.HISTORY);
    assertThat(shown(past, 4)).as("not the first frame").isEqualTo(Part.HISTORY);
    assertThat(shown(past, 6)).as("more than requested").isEqualTo(Part.OTHER);
    assertThat(past.isResumed()).isFalse();
    assertThat(past.cameBack()).isFalse();
    assertThat(tally.of(Count.NOT_FOUND)).isEqualTo(1);
  }

  @Test
  void frameThatWasNotFoundIsNotNamedAgain() {
    Past past = resuming(4);
    past.ask(true);
    shown(past, 5);
    assertThat(past.lost(1006)).isFalse();
    assertThat(requested(past, true).has("after")).isFalse();
    assertThat(past.cameBack()).isFalse();
    assertThat(tally.of(Count.NOT_FOUND)).isEqualTo(1);
    assertThat(tally.of(Count.NO_FRAME)).isZero();
  }

  @Test
  void joinInsteadOfTheNamedFrameMeansNotFound() {
    Past past = resuming(4);
    past.ask(true);
    assertThat(past.cameBack()).isFalse();
    assertThat(tally.of(Count.NOT_FOUND)).isEqualTo(1);
  }

  @Test
  void noFrameIsNamedAfterTheServerReportedALoss() {
    Past past = resuming(4);
    assertThat(past.lost(4010)).isFalse();
    assertThat(requested(past, true).has("after")).isFalse();
    assertThat(past.cameBack()).isFalse();
    assertThat(tally.of(Count.AFTER_LOSS)).isEqualTo(1);
    byte[] bytes = frame(9);
    past.took(bytes, 0, bytes.length);
    assertThat(past.lost(1012)).isTrue();
    assertThat(requested(past, true).has("after")).as("a frame of the new membership").isTrue();
  }

  @Test
  void userWithoutAFrameNamesNone() {
    Past past = past(new TestPlan().resuming());
    assertThat(past.lost(1006)).isFalse();
    assertThat(past.ask(true)).isEmpty();
    assertThat(past.cameBack()).isFalse();
    assertThat(tally.of(Count.NO_FRAME)).isEqualTo(1);
  }
}
