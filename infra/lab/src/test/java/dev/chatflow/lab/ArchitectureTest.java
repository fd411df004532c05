package dev.chatflow.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Tests the lab's dependencies. Maven ensures that no other module depends on the lab. */
@AnalyzeClasses(
    packages = "dev.chatflow",
    importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class ArchitectureTest {

  @ArchTest
  static final ArchRule benchmarksDoNotDependOnTheLab =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.chatflow.lab..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.chatflow.lab..");

  @ArchTest
  static final ArchRule theCrowdDependsOnlyOnTheClientsTransport =
      noClasses()
          .that()
          .resideInAPackage("dev.chatflow.lab.crowd")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.chatflow.server..", "dev.chatflow.room..", "dev.chatflow.client.engine..");

  @ArchTest
  static final ArchRule programsFormNoCycle =
      slices().matching("dev.chatflow.lab.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule staticFieldsAreFinal =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("dev.chatflow.lab..")
          .and()
          .areStatic()
          .should()
          .beFinal();
}
