package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chatflow.support.CapturedLog;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailuresTest {

  private final CapturedLog log = CapturedLog.of(Failures.class);
  private final Failures failures = new Failures();

  @AfterEach
  void listenNoMore() {
    log.close();
  }

  @Test
  void failuresOfPeersAreNotLogged() {
    failures.report(new EOFException());
    failures.report(new UncheckedIOException(new IOException("broken pipe")));
    failures.report(new IllegalStateException(new IOException("reset")));
    assertThat(log.lines()).noneMatch(line -> line.matches("(INFO|WARN|ERROR).*"));
  }

  @Test
  void defectIsLoggedWithoutFloodingTheLog() {
    for (int i = 0; i < 1_000; i++) {
      failures.report(new NullPointerException("a bug, caused on purpose"));
    }
    assertThat(log.lines())
        .singleElement()
        .asString()
        .startsWith("ERROR ")
        .contains("caused on purpose");
  }
}
