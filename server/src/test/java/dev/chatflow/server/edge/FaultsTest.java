package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.message.ClientMessage;
import dev.chatflow.message.ErrorCode;
import dev.chatflow.message.ErrorFrame;
import dev.chatflow.message.MessageType;
import dev.chatflow.message.Parsed;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultsTest {

  /** For each rejection that asks to wait. */
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"SERVICE_UNAVAILABLE", "RATE_LIMITED"})
  private @interface WhenToldToWait {}

  private static final Parsed JOIN = valid(MessageType.JOIN, "");
  private static final Parsed TEXT = valid(MessageType.TEXT, "hello");

  private final Faults faults = new Faults();

  private static Parsed valid(MessageType type, String text) {
    return new Parsed.Valid(
        new ClientMessage(type, "17", "user17", text, "2026-11-20T18:46:00Z", null));
  }

  private boolean refused(Parsed parsed, ErrorCode code) {
    return faults.judge(parsed, ErrorFrame.refusal(code, "no", null, 0));
  }

  private boolean taken(Parsed parsed) {
    return faults.judge(parsed, null);
  }

  private void nineteenFaultsAreBorne() {
    for (int i = 1; i < Faults.LIMIT; i++) {
      assertThat(refused(TEXT, ErrorCode.USER_MISMATCH)).as("fault %d", i).isFalse();
    }
  }

  @Test
  void twentiethConsecutiveFaultClosesAndSoDoesTheNext() {
    assertThat(Faults.LIMIT).isEqualTo(20);
    nineteenFaultsAreBorne();
    assertThat(refused(new Parsed.Malformed("no JSON"), ErrorCode.MALFORMED_JSON)).isTrue();
    assertThat(refused(TEXT, ErrorCode.NOT_JOINED)).isTrue();
  }

  @WhenToldToWait
  void requestToWaitIsNeitherFaultNorSuccess(ErrorCode wait) {
    nineteenFaultsAreBorne();
    for (int i = 0; i < 2 * Faults.LIMIT; i++) {
      assertThat(refused(TEXT, wait)).isFalse();
    }
    assertThat(refused(TEXT, ErrorCode.NOT_JOINED)).as("no JOIN had to wait").isTrue();
  }

  @WhenToldToWait
  void notJoinedBehindAJoinThatHadToWaitIsNoFaultButOthersAre(ErrorCode wait) {
    nineteenFaultsAreBorne();
    assertThat(refused(JOIN, wait)).isFalse();
    for (int i = 0; i < 2 * Faults.LIMIT; i++) {
      assertThat(refused(TEXT, ErrorCode.NOT_JOINED)).isFalse();
      assertThat(refused(TEXT, wait)).isFalse();
    }
    assertThat(refused(TEXT, ErrorCode.USER_MISMATCH)).isTrue();
  }

  @Test
  void acceptedMessageResetsTheCount() {
    nineteenFaultsAreBorne();
    assertThat(taken(JOIN)).isFalse();
    nineteenFaultsAreBorne();
    assertThat(refused(TEXT, ErrorCode.USER_MISMATCH)).isTrue();
  }

  @Test
  void acceptedMessageEndsTheExcuseOfAJoinThatHadToWait() {
    assertThat(refused(JOIN, ErrorCode.SERVICE_UNAVAILABLE)).isFalse();
    assertThat(taken(JOIN)).isFalse();
    nineteenFaultsAreBorne();
    assertThat(refused(TEXT, ErrorCode.NOT_JOINED)).isTrue();
  }
}
