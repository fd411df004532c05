package dev.chatflow.chat;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

@AnalyzeClasses(
    packages = "dev.chatflow.chat",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

  @ArchTest
  static final ArchRule LINKS_DO_NOT_DEPEND_ON_ROOMS =
      noClasses()
          .that()
          .resideInAPackage("dev.chatflow.chat.link")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.chatflow.chat");

  @ArchTest
  static final ArchRule ONLY_THE_JDK_AND_GSON_ARE_USED =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "java..", "com.google.gson..", "org.jspecify..", "dev.chatflow.chat..");

  @ArchTest static final ArchRule NOTHING_IS_PRINTED = noClasses().should(ACCESS_STANDARD_STREAMS);

  /** Programs on Java 21 use this library; class files of that version begin with 65. */
  @Test
  void classesRunOnJava21() throws IOException {
    try (InputStream file = ChatFlow.class.getResourceAsStream("ChatFlow.class")) {
      assertThat(file).isNotNull();
      assertThat(file.readNBytes(8)).endsWith(0, 65);
    }
  }
}
