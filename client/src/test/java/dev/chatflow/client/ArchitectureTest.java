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
   * Every package, and those below it that it may know; all may know the root. What is not named
   * here does not exist.
   */
  private static final Map<String, List<String>> MAY_KNOW =
      """
      wire            ->
      series          ->
      chart           ->
      plan            ->
      record          -> series
      verify          ->
      token           ->
      transport       -> record
      transport.nio   -> record transport
      engine          -> plan record series token transport verify wire
      observe.machine -> record series
      observe.page    -> series transport
      observe.broker  -> observe.page series transport
      observe         -> observe.broker observe.machine observe.page series transport
      result          -> observe observe.broker observe.machine observe.page plan record series verify
      analyse         -> observe observe.machine observe.page plan record result series verify
      compat          -> chart plan record result series
      report          -> analyse chart compat observe observe.broker observe.machine observe.page plan record result series verify
      dialogue        -> plan token transport
      cli             -> analyse compat dialogue engine observe observe.broker observe.machine observe.page plan record report result series token transport transport.nio verify
      """
          .lines()
          .map(line -> List.of(line.split("[ >-]+", -1)))
          .collect(Collectors.toMap(List::getFirst, names -> names.subList(1, names.size())));

  @ArchTest
  static void packagesKnowOnlyWhatIsNamed(JavaClasses all) {
    MAY_KNOW.forEach((name, known) -> {
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
    assertThat(namesOfPackages(all)).isSubsetOf(MAY_KNOW.keySet());
  }

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule onlyTheCommandLineKnowsPicocli =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("picocli..");

  @ArchTest
  static final ArchRule onlyTheBrokersWatchKnowsAmqp =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".observe.broker")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.rabbitmq..");

  @ArchTest
  static final ArchRule theMessagePathKnowsNoJsonLibrary =
      noClasses()
          .that()
          .resideInAnyPackage(
              ROOT + ".engine..", ROOT + ".transport..", ROOT + ".verify", ROOT + ".record")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.google.gson..");

  @ArchTest
  static final ArchRule nothingPrintsButTheProgram =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ROOT + ".cli.Main")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".cli.Surroundings")
          .should(ACCESS_STANDARD_STREAMS);

  @ArchTest
  static final ArchRule nothingIsGlobalAndMutable = fields().that().areStatic().should().beFinal();

  @ArchTest
  static final ArchRule nothingSleeps =
      noClasses()
          .should()
          .callMethodWhere(
              target(name("sleep")).and(targetOwner(belongToAnyOf(Thread.class, TimeUnit.class))));

  /**
   * What looks again and again is scheduled. But one measures how late a timer is, one asks a
   * server until it is up, and one waits for less than the millisecond that a selector can.
   */
  @ArchTest
  static final ArchRule nothingPolls =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ROOT + ".observe.machine.OwnWatch")
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".observe.page.ServerHealth")
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
