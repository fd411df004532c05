package dev.chatflow.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.client.fake.ClientFrames;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FrameBatchTest {
  private final FrameBatch batch = new FrameBatch(4096, 99);

  @Test
  void payloadsOfEveryLengthCanBeUnmasked() throws IOException {
    for (int length = 0; length < 300; length++) {
      batch.clear();
      String text = "abcdefghij".repeat(30).substring(0, length);
      append(text);
      assertThat(unmasked(0)).isEqualTo(text);
    }
  }

  @Test
  void everyFrameHasItsOwnMask() {
    Set<Integer> masks = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      batch.clear();
      append("x");
      masks.add(Arrays.hashCode(Arrays.copyOfRange(batch.bytes(), 2, 6)));
    }
    assertThat(masks).hasSize(100).doesNotContain(Arrays.hashCode(new byte[4]));
  }

  @Test
  void completeFramesAreCountedByBytesWritten() {
    append("a".repeat(10));
    append("b".repeat(200));
    assertThat(batch.frames()).isEqualTo(2);
    assertThat(batch.framesWithin(15)).isZero();
    assertThat(batch.framesWithin(16)).isEqualTo(1);
    assertThat(batch.framesWithin(batch.length() - 1)).isEqualTo(1);
    assertThat(batch.framesWithin(batch.length())).isEqualTo(2);
  }

  @Test
  void fullBatchHasNoSpace() {
    int frames = 0;
    while (batch.hasSpaceFor(100)) {
      append("x".repeat(100));
      frames++;
    }
    assertThat(frames).isEqualTo(38);
  }

  private void append(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    int at = batch.begin(FrameBatch.OP_TEXT, bytes.length);
    System.arraycopy(bytes, 0, batch.bytes(), at, bytes.length);
    batch.end();
  }

  private String unmasked(int start) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(batch.bytes()));
    in.skipNBytes(start + 1L);
    return new String(ClientFrames.payload(in), StandardCharsets.US_ASCII);
  }
}
