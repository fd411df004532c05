package dev.chatflow.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;

/**
 * The lab may know all and is known by nobody, which Maven sees to: no other module depends on it.
 * Each of its programs stands by itself.
 */
@AnalyzeClasses(
    packages = "dev.chatflow",
    importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class ArchitectureTest {

  private static final long MAX_TYPES = 14;

  @ArchTest
  static final ArchRule benchmarksBesideWhatTheyMeasureDoNotKnowTheLab =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.chatflow.lab..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.chatflow.lab..");

  @ArchTest
  static final ArchRule theCrowdKnowsTheClientsTransportAlone =
      noClasses()
          .that()
          .resideInAPackage("dev.chatflow.lab.load")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.chatflow.server..", "dev.chatflow.room..", "dev.chatflow.client.engine..");

  @ArchTest
  static final ArchRule programsFormNoCycle =
      slices().matching("dev.chatflow.lab.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule nothingIsGlobalAndMutable =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("dev.chatflow.lab..")
          .and()
          .areStatic()
          .should()
          .beFinal();

  /** More than that and a package holds two things, as in the product. */
  @ArchTest
  static void packagesAreOfAboutADozenTypes(JavaClasses all) {
    Map<String, Long> types =
        all.stream()
            .filter(type -> type.getPackageName().startsWith("dev.chatflow.lab"))
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .collect(groupingBy(JavaClass::getPackageName, counting()));
    assertThat(types.entrySet().stream().filter(each -> each.getValue() > MAX_TYPES)).isEmpty();
  }
}
