package dev.chatflow.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.record.Comparison.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static Analytics.Counts counts(Analytics.SenderCount... senders) {
    return new Analytics.Counts(
        "2026-11-20T18:46:00Z",
        502,
        0,
        List.of(new Analytics.RoomCounts("1", 502, List.of(senders))));
  }

  private static Analytics.SenderCount recorded(int user, long joins, long texts, long leaves) {
    return new Analytics.SenderCount(
        Integer.toString(user), "user" + user, joins, texts, leaves, 1);
  }

  private static Result compare(String line, Analytics.Counts counts) {
    return Comparison.of(Comparison.sent(List.of(Comparison.HEADER, line)), counts);
  }

  @Test
  void asMuchOfEachKindIsEqual() {
    Result result = compare("1,1,user1,1,500,1,0,0", counts(recorded(1, 1, 500, 1)));
    assertThat(result.isEqual()).isTrue();
    assertThat(result.sent()).isEqualTo(502);
    assertThat(result.senders()).isEqualTo(1);
  }

  @Test
  void oneLessOrOneMoreIsNot() {
    assertThat(compare("1,1,user1,1,500,1,0,0", counts(recorded(1, 1, 499, 1))).differences())
        .containsExactly(
            "room 1, user 1 (user1): sent 1 JOIN 500 TEXT 1 LEAVE, recorded 1 JOIN 499 TEXT 1"
                + " LEAVE");
    assertThat(compare("1,1,user1,1,500,1,0,0", counts(recorded(1, 1, 501, 1))).isEqual())
        .isFalse();
    assertThat(compare("1,1,user1,1,500,1,0,0", counts(recorded(1, 1, 500, 0))).isEqual())
        .isFalse();
    assertThat(compare("1,1,user1,1,500,1,0,0", counts()).isEqual()).isFalse();
  }

  @Test
  void resendsMayBeRecordedTwice() {
    assertThat(compare("1,1,user1,1,500,1,3,0", counts(recorded(1, 1, 503, 1))).isEqual()).isTrue();
    assertThat(compare("1,1,user1,1,500,1,3,0", counts(recorded(1, 1, 504, 1))).isEqual())
        .isFalse();
  }

  @Test
  void refusedMessagesMustNotBeRecorded() {
    assertThat(compare("1,1,user1,1,500,1,0,2", counts(recorded(1, 1, 498, 1))).isEqual()).isTrue();
  }

  @Test
  void anUnknownSenderIsADifference() {
    Analytics.SenderCount known = recorded(1, 1, 500, 1);
    assertThat(compare("1,1,user1,1,500,1,0,0", counts(known, recorded(2, 0, 1, 0))).differences())
        .containsExactly("room 1, user 2 (user2): sent nothing, recorded 0 JOIN 1 TEXT 0 LEAVE");
  }

  @Test
  void anotherFileIsRefused() {
    assertThatThrownBy(() -> Comparison.sent(List.of("room,users")))
        .hasMessageContaining("not a file of senders");
    assertThatThrownBy(() -> Comparison.sent(List.of(Comparison.HEADER, "1,2,3")))
        .hasMessageContaining("1,2,3");
  }
}
