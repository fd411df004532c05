package dev.chatflow.server.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ContainerLogTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final ContainerLog log =
      new ContainerLog(new PrintStream(bytes, true, StandardCharsets.UTF_8));

  @Test
  void nothingIsPrintedWhileTheServerStarts() {
    log.publish(entry(Level.SEVERE, "listener failed", null));

    assertThat(printed()).isEmpty();
  }

  @Test
  void warningsAreOneLineEachOnceTheServerRuns() {
    log.publish(entry(Level.WARNING, "early", null));
    log.started();
    log.publish(entry(Level.INFO, "chatter", null));
    log.publish(
        entry(
            Level.SEVERE, "late", new IllegalStateException(new RuntimeException("that is why"))));

    assertThat(printed().lines()).hasSize(2);
    assertThat(printed())
        .contains("WARN  tomcat: early")
        .contains("ERROR tomcat: late: that is why");
  }

  @Test
  void theFirstFailureIsReportedByItsInnermostCause() {
    log.publish(entry(Level.WARNING, "not this", null));
    log.publish(
        entry(
            Level.SEVERE, "outer", new RuntimeException(new RuntimeException("the inner reason"))));
    log.publish(entry(Level.SEVERE, "consequence", null));

    assertThat(log.firstFailure()).isEqualTo("the inner reason");
  }

  @Test
  void aFailureWithoutMessageIsReportedByItsType() {
    assertThat(ContainerLog.reason(new NullPointerException())).startsWith("NullPointerException");
    assertThat(ContainerLog.reason(new NoClassDefFoundError("a/B")))
        .isEqualTo("NoClassDefFoundError: a/B");
    assertThat(log.firstFailure()).isNull();
  }

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static LogRecord entry(Level level, String message, @Nullable Throwable thrown) {
    LogRecord entry = new LogRecord(level, message);
    entry.setThrown(thrown);
    return entry;
  }
}
