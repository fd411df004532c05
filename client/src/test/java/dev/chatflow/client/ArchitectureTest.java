package dev.chatflow.client;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

@AnalyzeClasses(
    packages = "dev.chatflow.client",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String ROOT = "dev.chatflow.client";

  /**
   * Every package with the packages that it may depend on, in addition to the root package. A
   * package that is not listed here fails the test.
   */
  private static final Map<String, List<String>> MAY_DEPEND_ON =
      """
      plan            ->
      record          ->
      verify          ->
      transport       -> record
      transport.nio   -> record transport
      engine          -> plan record transport verify
      observe         -> record transport
      result          -> observe plan record verify
      compat          -> plan record result
      report          -> compat observe plan record result verify
      cli             -> compat engine observe plan record report result transport transport.nio verify
      """
          .lines()
          .map(line -> List.of(line.split("[ >-]+", -1)))
          .collect(Collectors.toMap(List::getFirst, names -> names.subList(1, names.size())));

  @ArchTest
  static void packagesDependOnlyOnAllowedPackages(JavaClasses all) {
    MAY_DEPEND_ON.forEach((name, known) -> {
      String[] allowed =
          Stream.concat(known.stream(), Stream.of(name))
              .map(one -> ROOT + "." + one)
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(ROOT + "." + name)
          .should()
          .dependOnClassesThat(
              resideInAPackage(ROOT + ".*..").and(not(resideInAnyPackage(allowed))))
          .check(all);
    });
    assertThat(namesOfPackages(all)).isSubsetOf(MAY_DEPEND_ON.keySet());
  }

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule onlyTheCliDependsOnPicocli =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("picocli..");

  @ArchTest
  static final ArchRule onlyBrokerWatchDependsOnAmqp =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ROOT + ".observe.BrokerWatch")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.rabbitmq..");

  /** Gson parses only token claims and the rare frames that do not start with a fixed head. */
  @ArchTest
  static final ArchRule theMessagePathDoesNotDependOnGson =
      noClasses()
          .that()
          .resideInAnyPackage(
              ROOT + ".engine..", ROOT + ".transport..", ROOT + ".verify", ROOT + ".record")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".transport.Tokens")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".verify.FrameName")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".verify.Notice")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.google.gson..");

  @ArchTest
  static final ArchRule onlyMainAndSurroundingsUseStandardStreams =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ROOT + ".cli.Main")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".cli.Surroundings")
          .should(ACCESS_STANDARD_STREAMS);

  @ArchTest
  static final ArchRule staticFieldsAreFinal = fields().that().areStatic().should().beFinal();

  @ArchTest
  static final ArchRule nothingSleeps =
      noClasses()
          .should()
          .callMethodWhere(
              target(name("sleep")).and(targetOwner(belongToAnyOf(Thread.class, TimeUnit.class))));

  /**
   * Periodic work is scheduled. The exceptions measure how late timers fire, wait until a server is
   * up, and wait for less than a selector's minimum of 1 ms.
   */
  @ArchTest
  static final ArchRule nothingPolls =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ROOT + ".observe.OwnWatch")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".observe.ServerHealth")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".transport.nio.NioTransport")
          .should()
          .callMethodWhere(
              target(nameMatching("park(Nanos|Until)"))
                  .and(targetOwner(belongToAnyOf(LockSupport.class))));

  private static List<String> namesOfPackages(JavaClasses all) {
    return all.stream()
        .map(JavaClass::getPackageName)
        .distinct()
        .filter(name -> !name.equals(ROOT))
        .map(name -> name.substring(ROOT.length() + 1))
        .toList();
  }
}
