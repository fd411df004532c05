package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HeadTest {
  private static final String RUN = "ab12";

  private final Texts texts = Texts.sentences(7);
  private final Stamps stamps = new Stamps(RUN);
  private final FrameScan scan = new FrameScan(RUN, texts, "");

  @Test
  void headIsReadBackFromEveryMessage() {
    Random random = new Random(42);
    for (int i = 0; i < 2_000; i++) {
      int sender = random.nextInt(36 * 36 * 36 * 36);
      int seq = random.nextInt(1_000_000);
      long due = random.nextLong(1L << 55);
      byte[] frame = message(sender, seq, due);
      assertThat(scan.find(frame, 0, frame.length)).isTrue();
      assertThat(scan.isIntact()).isTrue();
      assertThat(scan.sender()).isEqualTo(sender);
      assertThat(scan.seq()).isEqualTo(seq);
      assertThat(scan.dueMicros()).isEqualTo(due);
    }
  }

  @Test
  void messageIsTheJsonOfTheProtocol() {
    JsonObject json =
        JsonParser.parseString(new String(message(816, 42, 5), StandardCharsets.UTF_8))
            .getAsJsonObject();
    assertThat(json.get("messageType").getAsString()).isEqualTo("TEXT");
    assertThat(json.get("userId").getAsString()).isEqualTo("17");
    assertThat(json.get("username").getAsString()).isEqualTo("user816");
    assertThat(json.get("timestamp").getAsString()).isEqualTo("2026-11-20T18:46:00.123Z");
    assertThat(json.get("messageId").getAsString()).isEqualTo("ab12-00mo-000016");
    assertThat(json.get("message").getAsString())
        .startsWith("~ab1200mo000016")
        .hasSizeBetween(40, 500);
  }

  @Test
  void everyFlippedBitOfHeadAndTextIsCorrupt() {
    byte[] frame = message(5, 9, 1234);
    int head = new String(frame, StandardCharsets.US_ASCII).indexOf('~');
    for (int at = head + Head.MARK_LENGTH; at < frame.length - 2; at++) {
      byte[] wrong = frame.clone();
      wrong[at] ^= 1;
      assertThat(scan.find(wrong, 0, wrong.length)).isTrue();
      assertThat(scan.isIntact()).as("byte %s", at).isFalse();
    }
  }

  @Test
  void frameOfAnotherRunHasNoHeadOfThisOne() {
    byte[] frame = message(5, 9, 1234);
    assertThat(new FrameScan("zz99", texts, "").find(frame, 0, frame.length)).isFalse();
  }

  @Test
  void onlyTheFirstHeadOfAFrameCounts() {
    String first = new String(message(5, 9, 1), StandardCharsets.US_ASCII);
    String second = new String(message(6, 10, 1), StandardCharsets.US_ASCII);
    byte[] both = (first + second).getBytes(StandardCharsets.US_ASCII);
    assertThat(scan.find(both, 0, both.length)).isTrue();
    assertThat(scan.sender()).isEqualTo(5);
  }

  @Test
  void duplicateMarkAfterTheTextIsRecognized() {
    String plain = new String(message(5, 9, 1), StandardCharsets.US_ASCII);
    assertThat(isRepeat(plain)).isFalse();
    assertThat(isRepeat(plain.replaceFirst("}$", ",\"duplicate\":true}"))).isTrue();
    assertThat(isRepeat(plain.replaceFirst("}$", ",\"duplicate\":false}"))).isFalse();
    assertThat(isRepeat(plain.replaceFirst("\"}$", "\\\\\"duplicate\\\\\":true\"}")))
        .as("part of a text")
        .isFalse();
  }

  private boolean isRepeat(String frame) {
    byte[] bytes = frame.getBytes(StandardCharsets.US_ASCII);
    assertThat(scan.find(bytes, 0, bytes.length)).isTrue();
    return scan.isRepeat();
  }

  @Test
  void additionalFieldsFollowThoseOfTheTemplate() {
    MessageTemplate template =
        new MessageTemplate(
            MessageTemplate.Kind.JOIN, RUN, texts, author(816), ",\"device\":\"d1\"");
    byte[] more = ",\"history\":50".getBytes(StandardCharsets.US_ASCII);
    byte[] bytes = new byte[3 + template.length(0) + more.length];
    template.write(bytes, 3, 0, 5, stamps);
    template.extend(bytes, 3, 0, more);
    String text = new String(bytes, 3, bytes.length - 3, StandardCharsets.US_ASCII);
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    assertThat(json.get("history").getAsInt()).isEqualTo(50);
    assertThat(json.get("device").getAsString()).isEqualTo("d1");
    assertThat(json.get("messageType").getAsString()).isEqualTo("JOIN");
  }

  @Test
  void headAtTheEndOfATruncatedFrameIsNotRead() {
    byte[] frame = message(5, 9, 1234);
    int head = new String(frame, StandardCharsets.US_ASCII).indexOf('~');
    byte[] cut = Arrays.copyOf(frame, head + 20);
    assertThat(scan.find(cut, 0, cut.length)).isFalse();
  }

  @Test
  void textsHaveTheRequestedSize() {
    Texts sized = Texts.ofSize(3, 500);
    for (int seq = 0; seq < 100; seq++) {
      assertThat(sized.of(1, seq)).hasSize(500 - Head.LENGTH);
    }
  }

  @Test
  void textsUseOnlyCharactersThatNoServerRewrites() {
    for (int seq = 0; seq < 50; seq++) {
      assertThat(new String(texts.of(1, seq), StandardCharsets.US_ASCII))
          .matches("[A-Za-z0-9 .,!?-]+");
    }
  }

  @Test
  void base36RoundTripsAndRefusesOtherDigits() {
    byte[] bytes = new byte[11];
    for (long value : new long[] {0, 1, 35, 36, 131_621_703_842_267_135L}) {
      Base36.write(bytes, 0, 11, value);
      assertThat(Base36.read(bytes, 0, 11)).isEqualTo(value);
    }
    bytes[4] = 'A';
    assertThat(Base36.read(bytes, 0, 11)).isNegative();
  }

  private static MessageTemplate.Author author(int number) {
    return new MessageTemplate.Author(number, "17", "user" + number);
  }

  private byte[] message(int sender, int seq, long due) {
    MessageTemplate template =
        new MessageTemplate(MessageTemplate.Kind.TEXT, RUN, texts, author(sender), "");
    stamps.now(java.time.Instant.parse("2026-11-20T18:46:00.123Z").toEpochMilli());
    byte[] bytes = new byte[template.length(seq)];
    template.write(bytes, 0, seq, due, stamps);
    return bytes;
  }
}
