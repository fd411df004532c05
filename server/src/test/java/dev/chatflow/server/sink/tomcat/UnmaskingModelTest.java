package dev.chatflow.server.sink.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A payload read in pieces of any length into buffers of any length, compared with single bytes.
 */
class UnmaskingModelTest {

  static LongStream seeds() {
    return new Random(20261125).longs(200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void payloadMatchesTheReadOfSingleBytes(long seed) {
    Random random = new Random(seed);
    byte[] key = bytes(random, 4);
    byte[] payload = bytes(random, random.nextInt(400));
    byte[] masked = new byte[payload.length + random.nextInt(20)]; // the next frame begins after it
    random.nextBytes(masked);
    for (int i = 0; i < payload.length; i++) {
      masked[i] = (byte) (payload[i] ^ key[i & 3]);
    }
    ByteBuffer to = ByteBuffer.allocate(payload.length);
    int done = 0;
    while (done < payload.length) {
      ByteBuffer from =
          ByteBuffer.wrap(masked, done, random.nextInt(masked.length - done + 1)).slice();
      to.limit(Math.min(to.capacity(), done + random.nextInt(100)));

      int taken = Unmasking.take(from, to, key, done & 3, payload.length - done);

      assertThat(taken % 8).isZero();
      assertThat(from.position()).isEqualTo(taken);
      assertThat(to.position()).isEqualTo(done + taken);
      done += taken;
      if (from.hasRemaining() && to.hasRemaining() && done < payload.length) { // Tomcat's own part
        assertThat(Math.min(from.remaining(), Math.min(to.remaining(), payload.length - done)))
            .isLessThan(8);
        to.put((byte) (from.get() ^ key[done & 3]));
        done++;
      }
    }
    assertThat(to.array()).isEqualTo(payload);
  }

  @Test
  void tomcatHasTheMembers() {
    assertThat(Unmasking.find()).isNotNull();
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
