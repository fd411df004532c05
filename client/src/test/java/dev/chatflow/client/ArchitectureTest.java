package dev.chatflow.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.chatflow.client",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  @ArchTest
  static final ArchRule packagesLookInOneDirection =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("cli")
          .definedBy("..client.cli")
          .layer("plan")
          .definedBy("..client.plan")
          .layer("engine")
          .definedBy("..client.engine")
          .layer("transport")
          .definedBy("..client.transport")
          .layer("nio")
          .definedBy("..client.transport.nio")
          .layer("wire")
          .definedBy("..client.wire")
          .layer("record")
          .definedBy("..client.record")
          .layer("verify")
          .definedBy("..client.verify")
          .layer("observe")
          .definedBy("..client.observe")
          .layer("report")
          .definedBy("..client.report")
          .layer("chart")
          .definedBy("..client.chart")
          .layer("analyse")
          .definedBy("..client.analyse")
          .whereLayer("analyse")
          .mayOnlyBeAccessedByLayers("cli", "report")
          .whereLayer("chart")
          .mayOnlyBeAccessedByLayers("report")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("engine")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("nio")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("report")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("observe")
          .mayOnlyBeAccessedByLayers("cli", "report")
          .whereLayer("plan")
          .mayOnlyBeAccessedByLayers("cli", "engine", "observe", "report")
          .whereLayer("wire")
          .mayOnlyBeAccessedByLayers("cli", "engine")
          .whereLayer("verify")
          .mayOnlyBeAccessedByLayers("cli", "engine", "report")
          .whereLayer("record")
          .mayOnlyBeAccessedByLayers("transport", "nio", "cli", "engine", "report", "observe")
          .whereLayer("transport")
          .mayOnlyBeAccessedByLayers("cli", "engine", "nio");

  @ArchTest
  static final ArchRule onlyTheCommandLineKnowsPicocli =
      noClasses()
          .that()
          .resideOutsideOfPackage("..client.cli")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("picocli..");
}
