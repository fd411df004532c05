package dev.chatflow.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StockTomcatTest {

  /** The greatest text was taken: tests ran with an old Tomcat that lay beside the new one. */
  @Test
  void newestVersionIsTakenAndOtherFilesAreNot() {
    Stream<Path> built =
        Stream.of("apache-tomcat-11.0.9", "apache-tomcat-11.0.27", "chatflow.war", "classes")
            .map(Path::of);
    assertThat(StockTomcat.newest(built)).hasValue(Path.of("apache-tomcat-11.0.27"));
  }
}
