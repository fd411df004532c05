package dev.chatflow.message;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.util.Random;

/** Bytes with one to three random changes, mostly of a kind that is hard for parsers. */
public final class Mutation {

  private static final byte[] TELLING = "\"\\{}[]:,u0/ \n\0\u001fdD8e+-.Tz".getBytes(US_ASCII);

  private Mutation() {}

  public static byte[] of(byte[] bytes, Random random) {
    byte[] mutated = bytes;
    for (int i = random.nextInt(3); i >= 0; i--) {
      mutated = once(mutated, random);
    }
    return mutated;
  }

  private static byte[] once(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length + 1);
    int gone = Math.min(bytes.length - at, random.nextInt(3));
    ByteArrayOutputStream mutated = new ByteArrayOutputStream();
    mutated.write(bytes, 0, at);
    for (int i = random.nextInt(3); i > 0; i--) {
      mutated.write(
          random.nextBoolean() ? TELLING[random.nextInt(TELLING.length)] : random.nextInt(256));
    }
    if (random.nextInt(8) == 0 && at > 0) { // repeats a part of it
      int from = random.nextInt(at);
      mutated.write(bytes, from, at - from);
    }
    mutated.write(bytes, at + gone, bytes.length - at - gone);
    return mutated.toByteArray();
  }
}
