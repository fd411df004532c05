package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TimestampTest {
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  @Test
  void timestampsEqualThoseOfTheJdk() {
    Timestamp timestamp = new Timestamp();
    Random random = new Random(1);
    long millis = Instant.parse("2026-12-31T23:59:58.990Z").toEpochMilli();
    for (int i = 0; i < 2_000; i++) {
      millis += random.nextInt(700);
      String text = new String(timestamp.at(millis), StandardCharsets.US_ASCII);
      assertThat(text).isEqualTo(FORMAT.format(Instant.ofEpochMilli(millis)));
    }
  }
}
