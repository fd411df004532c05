package dev.chatflow.client.verify;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * The fifty texts that follow the head of messages.
 *
 * <p>They contain only letters, digits, space and {@code .,!?-}, because a server may escape other
 * characters without corrupting them. Immutable.
 */
public final class Texts {
  private static final int COUNT = 50;
  private static final String[] WORDS =
      ("the boat leaves early today so bring coffee and a map of harbour lights we met near"
              + " bridge nine"
              + " who wants to try new soup place after work rain again but wind turned north"
              + " can you"
              + " hear this song my train is late see you at seven ticket number 42 was sold twice")
          .split(" ", -1);
  private static final char[] ENDS = {'.', '!', '?'};

  private final byte[][] texts = new byte[COUNT][];

  private Texts(long seed, int bytes) {
    Random random = new Random(seed);
    for (int i = 0; i < COUNT; i++) {
      texts[i] = sentence(random, bytes);
    }
  }

  /** Returns sentences of 20 to 90 bytes. */
  public static Texts sentences(long seed) {
    return new Texts(seed, 0);
  }

  /** Returns texts for a field of {@code messageBytes} including the head. */
  public static Texts ofSize(long seed, int messageBytes) {
    return new Texts(seed, messageBytes - Head.LENGTH);
  }

  byte[] of(int sender, int seq) {
    return texts[Math.floorMod(sender * 31 + seq, COUNT)];
  }

  private static byte[] sentence(Random random, int bytes) {
    int length = bytes == 0 ? 20 + random.nextInt(71) : bytes;
    StringBuilder text = new StringBuilder(length + 16);
    while (text.length() < length) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(8) == 0 ? ", " : " ");
    }
    text.setLength(length - 1);
    text.append(ENDS[random.nextInt(ENDS.length)]);
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
