package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigSourceTest {

  @TempDir private Path directory;

  private ConfigSource of(String lines) throws IOException, ConfigException {
    Path file = Files.writeString(directory.resolve("chatflow.properties"), lines);
    return ConfigSource.ofProcess(Map.of(ConfigSource.FILE, file.toString()));
  }

  @Test
  void aFileIsReadWhereOneIsNamed() throws Exception {
    ConfigSource source =
        of("# a comment\n\nCHATFLOW_PORT=81\nCHATFLOW_AMQP_URI=amqp://u:p@h:5672/v\n");
    assertThat(source.given("CHATFLOW_PORT")).isEqualTo("81");
    assertThat(source.given("CHATFLOW_AMQP_URI")).isEqualTo("amqp://u:p@h:5672/v");
    assertThat(ConfigSource.ofProcess(Map.of()).file()).isEmpty();
  }

  @Test
  void aFileThatCannotBeReadIsNamedWithTheReason() {
    Map<String, String> options = Map.of(ConfigSource.FILE, "/nowhere/file");
    assertThatThrownBy(() -> ConfigSource.ofProcess(options))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("CHATFLOW_CONFIG=/nowhere/file is not a file of KEY=value lines");
    assertThatThrownBy(() -> of("CHATFLOW_PORT=\\u00zz"))
        .hasMessageContaining("is not a file of KEY=value lines");
  }

  @Test
  void aFileNamesNoOther() {
    assertThatThrownBy(() -> of("CHATFLOW_CONFIG=other"))
        .hasMessageContaining("names another file");
  }
}
