package dev.chatflow.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A part of a document that is made from the code. It stands between the lines {@code <!--
 * generated NAME -->} and {@code <!-- end NAME -->}.
 */
public final class GeneratedPart {

  private GeneratedPart() {}

  /**
   * Fails if the part differs from these lines. With {@code -Dchatflow.reference.write=true} it
   * replaces the part first.
   *
   * @param page the document's path below {@code docs}
   */
  public static void isCurrent(String page, String name, List<String> lines) throws IOException {
    Path file = Path.of("..", "docs").resolve(page);
    String text = Files.readString(file);
    String begin = "<!-- generated " + name + " -->\n";
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf("<!-- end " + name + " -->", from);
    assertThat(to).as("marks of %s in %s", name, page).isGreaterThanOrEqualTo(from);
    if (Boolean.getBoolean("chatflow.reference.write")) {
      text = text.substring(0, from) + String.join("\n", lines) + "\n" + text.substring(to);
      Files.writeString(file, text);
      to = text.indexOf("<!-- end " + name + " -->", from);
    }
    assertThat(text.substring(from, to).lines())
        .as("%s: -Dchatflow.reference.write=true writes it again", page)
        .containsExactlyElementsOf(lines);
  }
}
