package dev.chatflow.server.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The build's generator produces a Java client from the OpenAPI document. */
class GeneratedClientTest {

  private static final Path SOURCES = Path.of("target", "openapi-client", "src", "main", "java");

  @Test
  void generatedClientCompiles(@TempDir Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-proc:none", "-nowarn", "-d", classes.toString());
      boolean compiled =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(java()))
              .call();
      assertThat(compiled).as(said.toString()).isTrue();
    }
    assertThat(classes.resolve("org/openapitools/client/api/MessagesApi.class")).exists();
  }

  private static List<Path> java() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
