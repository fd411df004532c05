package dev.chatflow.standalone.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chatflow.standalone.compare.Comparison.Result;
import dev.chatflow.standalone.record.Statistics;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static Statistics.Counts counts(long uncounted, Statistics.SenderCount... senders) {
    return new Statistics.Counts(
        "2026-11-20T18:46:00Z",
        502,
        uncounted,
        0,
        List.of(new Statistics.RoomCounts("1", 502, List.of(senders))));
  }

  private static Statistics.SenderCount recorded(int user, long joins, long texts, long leaves) {
    return new Statistics.SenderCount(
        Integer.toString(user), "user" + user, joins, texts, leaves, 1);
  }

  private static Result compare(String line, Statistics.Counts counts) {
    return Comparison.of(Comparison.sent(List.of(Comparison.HEADER, line)), counts);
  }

  @Test
  void asMuchOfEachKindIsEqual() {
    Result result = compare("1,1,user1,1,500,1,0,0", counts(0, recorded(1, 1, 500, 1)));
    assertThat(result.isEqual()).isTrue();
    assertThat(result.sent()).isEqualTo(502);
    assertThat(result.senders()).isEqualTo(1);
  }

  @Test
  void oneLessOrOneMoreIsNot() {
    assertThat(compare("1,1,user1,1,500,1,0,0", counts(0, recorded(1, 1, 499, 1))).differences())
        .containsExactly(
            "room 1, user 1 (user1): sent 1 JOIN 500 TEXT 1 LEAVE, recorded 1 JOIN 499 TEXT 1"
                + " LEAVE");
    assertThat(compare("1,1,user1,1,500,1,0,0", counts(0, recorded(1, 1, 501, 1))).isEqual())
        .isFalse();
    assertThat(compare("1,1,user1,1,500,1,0,0", counts(0, recorded(1, 1, 500, 0))).isEqual())
        .isFalse();
    assertThat(compare("1,1,user1,1,500,1,0,0", counts(0)).isEqual()).isFalse();
  }

  @Test
  void whatWasSentAgainMayBeRecordedTwice() {
    assertThat(compare("1,1,user1,1,500,1,3,0", counts(0, recorded(1, 1, 503, 1))).isEqual())
        .isTrue();
    assertThat(compare("1,1,user1,1,500,1,3,0", counts(0, recorded(1, 1, 504, 1))).isEqual())
        .isFalse();
  }

  @Test
  void whatWasRefusedIsNotToBeRecorded() {
    assertThat(compare("1,1,user1,1,500,1,0,2", counts(0, recorded(1, 1, 498, 1))).isEqual())
        .isTrue();
  }

  @Test
  void aSenderNobodyKnowsAndOneWithoutPlaceAreDifferences() {
    Statistics.SenderCount known = recorded(1, 1, 500, 1);
    assertThat(
            compare("1,1,user1,1,500,1,0,0", counts(0, known, recorded(2, 0, 1, 0))).differences())
        .containsExactly("room 1, user 2 (user2): sent nothing, recorded 0 JOIN 1 TEXT 0 LEAVE");
    assertThat(compare("1,1,user1,1,500,1,0,0", counts(1, known)).isEqual()).isFalse();
  }

  @Test
  void anotherFileIsRefused() {
    assertThatThrownBy(() -> Comparison.sent(List.of("room,users")))
        .hasMessageContaining("not a file of senders");
    assertThatThrownBy(() -> Comparison.sent(List.of(Comparison.HEADER, "1,2,3")))
        .hasMessageContaining("1,2,3");
  }
}
