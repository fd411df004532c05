package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the example of docs/reference/libraries.md compiles. */
class ExampleTest {

  private static final Path EXAMPLE = Path.of("../../docs/examples/EchoBot.java");

  @Test
  void exampleCompiles(@TempDir Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-proc:none", "-d", classes.toString());
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(EXAMPLE))
              .call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }
  }
}
