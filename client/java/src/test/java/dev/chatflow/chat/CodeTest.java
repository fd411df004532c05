package dev.chatflow.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.chatflow.chat.link.Frames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the codes include each one of the protocol. */
class CodeTest {

  private static final EnumSet<Code> OF_THE_LIBRARY =
      EnumSet.of(Code.UNKNOWN, Code.LEFT, Code.TOO_MANY, Code.TOKEN, Code.CLOSED, Code.OTHER);

  @ParameterizedTest
  @ValueSource(strings = {"asyncapi", "openapi"})
  void codesAreThoseOfTheDocumentAndOfTheLibrary(String name) throws IOException {
    List<String> ofTheLibrary = OF_THE_LIBRARY.stream().map(Enum::name).toList();
    assertThat(codes(Path.of("../../docs/protocol", name + ".json")))
        .doesNotContainAnyElementsOf(ofTheLibrary)
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(OF_THE_LIBRARY).stream().map(Enum::name).toList());
    assertThat(Code.of("NEWER")).isEqualTo(Code.OTHER);
  }

  private static List<String> codes(Path document) throws IOException {
    JsonObject at = Scene.json(Files.readString(document));
    for (String field :
        List.of("components", "schemas", "Error", "properties", Frames.ERROR_CODE)) {
      at = at.getAsJsonObject(field);
    }
    return at.getAsJsonArray("enum").asList().stream().map(JsonElement::getAsString).toList();
  }
}
