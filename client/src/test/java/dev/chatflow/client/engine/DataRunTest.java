package dev.chatflow.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.chatflow.client.fake.TestPlan;
import dev.chatflow.client.fake.VirtualChat;
import dev.chatflow.client.plan.Extras;
import dev.chatflow.client.record.Count;
import dev.chatflow.client.verify.Defect;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests complete runs whose texts carry data. */
final class DataRunTest {
  private static final int USERS = 3;
  private static final int TEXTS = 5;

  private final VirtualChat chat = new VirtualChat();

  private VirtualRun run(int dataBytes) throws InterruptedException {
    return VirtualRun.of(
        new TestPlan().rooms(1, USERS).texts(TEXTS).extras(new Extras(20, 1, dataBytes)), chat);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 11, 200, 2_000})
  void eachTextCarriesAnObjectOfTheSizeAndOthersNone(int bytes) throws InterruptedException {
    chat.refuse(json -> {
      JsonObject data = json.getAsJsonObject("data");
      assertThat(data == null ? 0 : data.toString().length())
          .isEqualTo(VirtualChat.type("TEXT").test(json) ? bytes : 0);
      return false;
    });
    VirtualRun run = run(bytes);
    assertThat(run.isClean()).isTrue();
    assertThat(run.count(Count.TEXT_DELIVERIES)).isEqualTo(USERS * USERS * TEXTS);
  }

  @Test
  void textsWithoutDataHaveNoField() throws InterruptedException {
    chat.refuse(json -> {
      assertThat(json.has("data")).isFalse();
      return false;
    });
    assertThat(run(0).isClean()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"data\":{}", ",\"data\":{\"pad\":\"x\"}"})
  void textWithOtherDataIsCorrupt(String other) throws InterruptedException {
    chat.changeFrames((index, frame) ->
        List.of(index == 1 ? frame.replaceFirst(",\"data\":\\{.*?\\}", other) : frame));
    VirtualRun run = run(100);
    assertThat(run.found(Defect.CORRUPT)).isEqualTo(USERS * TEXTS);
    assertThat(run.found(Defect.LOST)).isZero();
  }
}
