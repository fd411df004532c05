package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StockTomcatTest {

  /** The alphabetically greatest name was used: tests ran with an older Tomcat. */
  @Test
  void newestVersionIsTakenAndOtherFilesAreNot() {
    Stream<Path> built =
        Stream.of("apache-tomcat-11.0.9", "apache-tomcat-11.0.27", "chatflow.war", "classes")
            .map(Path::of);
    assertThat(StockTomcat.newest(built)).hasValue(Path.of("apache-tomcat-11.0.27"));
  }
}
