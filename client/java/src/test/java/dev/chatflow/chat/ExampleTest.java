package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that each example in a single file compiles. */
class ExampleTest {

  @ParameterizedTest
  @ValueSource(strings = {"EchoBot", "ResumingBot"})
  void exampleCompiles(String name, @TempDir Path classes) throws IOException {
    Path example = Path.of("../../docs/examples", name + ".java");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-proc:none", "-d", classes.toString());
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(example))
              .call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }
  }
}
