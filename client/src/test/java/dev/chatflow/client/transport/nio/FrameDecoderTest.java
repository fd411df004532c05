package dev.chatflow.client.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameDecoderTest {
  private final List<String> seen = new ArrayList<>();
  private final FrameDecoder decoder = new FrameDecoder();
  private boolean acceptsBinary;

  private final FrameDecoder.Listener sink =
      new FrameDecoder.Listener() {
        @Override
        public void text(byte[] bytes, int from, int to) {
          seen.add("text " + new String(bytes, from, to - from, StandardCharsets.UTF_8));
        }

        @Override
        public boolean binary(byte[] bytes, int from, int to) {
          if (acceptsBinary) {
            seen.add("binary " + new String(bytes, from, to - from, StandardCharsets.UTF_8));
          }
          return acceptsBinary;
        }

        @Override
        public void ping(byte[] bytes, int from, int to) {
          seen.add("ping " + new String(bytes, from, to - from, StandardCharsets.UTF_8));
        }

        @Override
        public void closeFrame(int code, String reason) {
          seen.add("close " + code + " " + reason);
        }

        @Override
        public void broken(int closeCode, String reason) {
          seen.add("broken " + closeCode);
        }
      };

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 126, 127, 65_535, 65_536, 200_000})
  void everyLengthEncodingIsRead(int length) {
    String text = "x".repeat(length);
    decode(frame(0x81, text));
    assertThat(seen).containsExactly("text " + text);
  }

  @Test
  void controlFramesMayInterruptFragments() {
    decode(
        frame(0x01, "one "),
        frame(0x89, "?"),
        frame(0x00, "two "),
        frame(0x8a, "!"),
        frame(0x80, "three"),
        frame(0x81, "next"));
    assertThat(seen).containsExactly("ping ?", "text one two three", "text next");
  }

  @Test
  void closeCodeAndReasonAreRead() {
    decode(
        frame(0x88, "\u0003\u00e8".getBytes(StandardCharsets.ISO_8859_1), "bye"),
        frame(0x81, "late"));
    assertThat(seen).containsExactly("close 1000 bye");
    assertThat(decoder.isStopped()).isTrue();
  }

  @Test
  void closeWithoutCodeIs1005() {
    decode(frame(0x88, ""));
    assertThat(seen).containsExactly("close 1005 ");
  }

  @Test
  void invalidFramesAreReported() {
    for (byte[] wrong :
        List.of(
            frame(0xc1, "rsv"),
            frame(0x80, "no start"),
            frame(0x83, "opcode"),
            frame(0x09, "fragmented ping"),
            frame(0x8b, "control"),
            frame(0x88, "x"),
            frame(0x89, "x".repeat(126)),
            new byte[] {(byte) 0x81, (byte) 0x81, 0, 0, 0, 0, 0})) {
      seen.clear();
      new FrameDecoder().decode(wrong, 0, wrong.length, sink);
      assertThat(seen).containsExactly("broken 1002");
    }
  }

  @Test
  void binaryAndTooLongFramesHaveTheirOwnCloseCodes() {
    byte[] binary = frame(0x82, "x");
    new FrameDecoder().decode(binary, 0, binary.length, sink);
    byte[] huge = {(byte) 0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0};
    new FrameDecoder().decode(huge, 0, huge.length, sink);
    byte[] negative = {(byte) 0x81, 127, (byte) 0x80, 0, 0, 0, 0, 0, 0, 1};
    new FrameDecoder().decode(negative, 0, negative.length, sink);
    assertThat(seen).containsExactly("broken 1003", "broken 1009", "broken 1009");
  }

  @Test
  void binaryFramesNeedASinkForThemAndMustNotBeFragmented() {
    acceptsBinary = true;
    decode(frame(0x82, "x"), frame(0x81, "y"), frame(0x02, "cut"));
    assertThat(seen).containsExactly("binary x", "text y", "broken 1003");
  }

  @Test
  void secondStartWithoutAnEndIsInvalid() {
    decode(frame(0x01, "one"), frame(0x81, "two"));
    assertThat(seen).containsExactly("broken 1002");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everySplitOfTheStreamDecodesEqually(long seed) {
    Random random = new Random(seed);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String text = Integer.toString(i) + "x".repeat(random.nextInt(400));
      stream.writeBytes(frame(0x81, text));
      sent.add("text " + text);
    }
    byte[] bytes = stream.toByteArray();
    int from = 0;
    int to = 0;
    while (to < bytes.length) {
      to = Math.min(bytes.length, to + random.nextInt(600));
      from = decoder.decode(bytes, from, to, sink);
    }
    assertThat(seen).isEqualTo(sent);
  }

  private void decode(byte[]... frames) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      stream.writeBytes(frame);
    }
    byte[] bytes = stream.toByteArray();
    decoder.decode(bytes, 0, bytes.length, sink);
  }

  private static byte[] frame(int first, String payload) {
    return frame(first, new byte[0], payload);
  }

  private static byte[] frame(int first, byte[] start, String text) {
    byte[] end = text.getBytes(StandardCharsets.UTF_8);
    int length = start.length + end.length;
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(first);
    if (length < 126) {
      frame.write(length);
    } else if (length < 65_536) {
      frame.writeBytes(new byte[] {126, (byte) (length >> 8), (byte) length});
    } else {
      frame.writeBytes(
          new byte[] {
            127, 0, 0, 0, 0, 0, (byte) (length >> 16), (byte) (length >> 8), (byte) length
          });
    }
    frame.writeBytes(start);
    frame.writeBytes(end);
    return frame.toByteArray();
  }
}
