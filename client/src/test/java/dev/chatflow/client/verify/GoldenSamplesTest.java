package dev.chatflow.client.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the parsers with the samples of the protocol, which the server's tests also read. */
final class GoldenSamplesTest {
  private static final Path SAMPLES = Path.of("../docs/protocol/samples");
  private static final String RUN = "ab12";

  private final Texts texts = Texts.sentences(7);

  @Test
  void broadcastSamplesWithoutAHeadAreForeign() throws IOException {
    List<Path> samples = samples("broadcast");
    assertThat(samples).isNotEmpty();
    for (Path sample : samples) {
      byte[] frame = bytes(sample);
      assertThat(new FrameScan(RUN, texts, "").find(frame, 0, frame.length))
          .as("%s", sample)
          .isFalse();
      Notice notice = Notice.of(frame, 0, frame.length, RUN);
      assertThat(notice).as("%s", sample).isInstanceOf(Notice.Foreign.class);
      boolean synthetic = sample.getFileName().toString().contains("synthetic");
      assertThat(((Notice.Foreign) notice).synthetic()).as("%s", sample).isEqualTo(synthetic);
    }
  }

  @Test
  void broadcastSamplesWithAHeadOfTheRunAreRecognized() throws IOException {
    for (Path sample : samples("broadcast")) {
      String text = Files.readString(sample);
      if (!text.contains("\"messageType\":\"TEXT\"")) {
        continue;
      }
      byte[] frame =
          text.strip()
              .replaceFirst("\"message\":\"[^\"]*\"", "\"message\":\"" + message() + "\"")
              .getBytes(StandardCharsets.UTF_8);
      FrameScan scan = new FrameScan(RUN, texts, "");
      assertThat(scan.find(frame, 0, frame.length)).as("%s", sample).isTrue();
      assertThat(scan.isIntact()).as("%s", sample).isTrue();
      assertThat(scan.sender()).isEqualTo(11);
      assertThat(scan.seq()).isEqualTo(77);
    }
  }

  @Test
  void errorSamplesAreRefusals() throws IOException {
    List<Path> samples = samples("error");
    assertThat(samples).isNotEmpty();
    for (Path sample : samples) {
      byte[] frame = bytes(sample);
      assertThat(new FrameScan(RUN, texts, "").find(frame, 0, frame.length))
          .as("%s", sample)
          .isFalse();
      assertThat(Notice.of(frame, 0, frame.length, RUN))
          .as("%s", sample)
          .isInstanceOf(Notice.Refusal.class);
      Notice.Refusal refusal = (Notice.Refusal) Notice.of(frame, 0, frame.length, RUN);
      assertThat(refusal.status()).as("%s", sample).isGreaterThanOrEqualTo(400);
      assertThat(refusal.errorCode()).as("%s", sample).matches("[A-Z_]+");
    }
  }

  private String message() {
    Stamps stamps = new Stamps(RUN);
    MessageTemplate template =
        new MessageTemplate(
            MessageTemplate.Kind.TEXT,
            RUN,
            texts,
            new MessageTemplate.Author(11, "12", "user11"),
            "");
    byte[] bytes = new byte[template.length(77)];
    template.write(bytes, 0, 77, 1, stamps);
    String json = new String(bytes, StandardCharsets.US_ASCII);
    return json.substring(json.indexOf('~'), json.length() - 2);
  }

  private static byte[] bytes(Path sample) throws IOException {
    return Files.readString(sample).strip().getBytes(StandardCharsets.UTF_8);
  }

  private static List<Path> samples(String prefix) throws IOException {
    try (var files = Files.list(SAMPLES)) {
      return files
          .filter(file -> file.getFileName().toString().matches(prefix + ".*\\.json"))
          .filter(file -> !file.getFileName().toString().contains("http"))
          .sorted()
          .toList();
    }
  }
}
