package dev.chatflow.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FailuresTest {

  private final Logger log = (Logger) LoggerFactory.getLogger(Failures.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Failures failures = new Failures();

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void listenNoMore() {
    log.detachAppender(lines);
  }

  @Test
  void whatPeersDoIsNoNews() {
    failures.told(new EOFException());
    failures.told(new UncheckedIOException(new IOException("broken pipe")));
    failures.told(new IllegalStateException(new IOException("reset")));
    assertThat(lines.list).noneMatch(line -> line.getLevel().isGreaterOrEqual(Level.INFO));
  }

  @Test
  void bugOfOursIsToldOfAndDoesNotFloodTheLog() {
    for (int i = 0; i < 1_000; i++) {
      failures.told(new NullPointerException("a bug, caused on purpose"));
    }
    assertThat(lines.list)
        .singleElement()
        .satisfies(line -> {
          assertThat(line.getLevel()).isEqualTo(Level.ERROR);
          assertThat(line.getThrowableProxy().getMessage()).contains("caused on purpose");
        });
  }
}
