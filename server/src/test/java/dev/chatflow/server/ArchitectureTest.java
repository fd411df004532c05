package dev.chatflow.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules for packages: docs/contributing/code-map.md in executable form. */
@AnalyzeClasses(
    packages = "dev.chatflow",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJar.class})
class ArchitectureTest {

  private static final String ROOT = "dev.chatflow";

  /**
   * Excludes code that the usual option does not: the test support of the consumer library, a jar,
   * and the Java client library, which has its own rules.
   */
  static final class NoTestJar implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar") && !location.contains("/dev/chatflow/chat/");
    }
  }

  // --- directions

  /**
   * The ChatFlow packages that each package may use in addition to itself; each without its
   * subpackages.
   */
  private static final Map<String, List<String>> MAY_KNOW =
      """
      support            ->
      start              ->
      room               ->
      message            -> room
      broker             -> room support
      server.sink        -> room
      identity           -> message room support
      broker.embedded    -> broker
      log                -> broker message room support
      server.sink.tomcat -> room server.sink support
      presence           -> broker log message room
      log.amqp           -> broker log message room support
      server.publish     -> broker log message room support
      delivery           -> broker log log.amqp message presence room support
      record             -> broker identity log log.amqp message room start support
      server.edge        -> delivery identity log message presence room server.publish server.sink server.sink.tomcat support
      server.http        -> delivery identity message presence room server.edge server.publish support
      server.meter       -> broker delivery identity log presence room server.edge server.http server.publish server.sink.tomcat support
      server             -> broker delivery identity log log.amqp message presence room server.edge server.http server.meter server.publish server.sink server.sink.tomcat support
      server.launch      -> broker broker.embedded server start support
      """
          .lines()
          .map(line -> List.of(line.split("[ >-]+", -1)))
          .collect(Collectors.toMap(List::getFirst, names -> names.subList(1, names.size())));

  @ArchTest
  static void packagesDependOnlyOnListedPackages(JavaClasses all) {
    MAY_KNOW.forEach((name, known) -> {
      String[] allowed =
          Stream.concat(known.stream(), Stream.of(name))
              .map(one -> ROOT + "." + one)
              .toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(ROOT + "." + name)
          .should()
          .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(allowed))))
          .check(all);
    });
    assertThat(namesOfPackages(all))
        .as("every package has its line here, and every line its package")
        .containsExactlyInAnyOrderElementsOf(MAY_KNOW.keySet());
  }

  @ArchTest
  static final ArchRule theLibraryDoesNotKnowTheServer =
      noClasses()
          .that(not(resideInAnyPackage("dev.chatflow.server..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.chatflow.server..");

  @ArchTest
  static final ArchRule nobodyKnowsTheStandaloneConsumer =
      noClasses()
          .that(not(resideInAnyPackage("dev.chatflow.record..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.chatflow.record..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.chatflow.(**)").should().beFreeOfCycles();

  // --- external dependencies

  @ArchTest
  static final ArchRule roomsNeedOnlyTheJdk =
      classes()
          .that()
          .resideInAPackage("dev.chatflow.room..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jspecify..",
              "com.google.errorprone.annotations..",
              "dev.chatflow.room..");

  @ArchTest
  static final ArchRule onlyTheEdgeKnowsWebSocket =
      noClasses()
          .that(not(resideInAnyPackage("dev.chatflow.server.edge", "dev.chatflow.server.sink..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta.websocket..");

  @ArchTest
  static final ArchRule onlyTheEdgeHttpAndTheLifecycleKnowServlets =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                      "dev.chatflow.server.edge",
                      "dev.chatflow.server.sink..",
                      "dev.chatflow.server.http",
                      "dev.chatflow.server.launch")))
          .and()
          .areNotAssignableTo(ServerLifecycle.class)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta.servlet..");

  @ArchTest
  static final ArchRule onlyTomcatsPackageAndTheLauncherKnowTomcat =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                      "dev.chatflow.server.sink.tomcat", "dev.chatflow.server.launch")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.(catalina|coyote|tomcat)..");

  @ArchTest
  static final ArchRule onlyTheBrokerSideKnowsAmqp =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                      "dev.chatflow.broker",
                      "dev.chatflow.record",
                      "dev.chatflow.log.amqp",
                      "dev.chatflow.server.publish")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.rabbitmq..");

  @ArchTest
  static final ArchRule onlyMessagesAndAnswersKnowJson =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                      "dev.chatflow.message", "dev.chatflow.support", "dev.chatflow.record")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.google.gson..");

  @ArchTest
  static final ArchRule onlyIdentityKnowsTokens =
      noClasses()
          .that(not(resideInAPackage("dev.chatflow.identity")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.nimbusds..");

  @ArchTest
  static final ArchRule onlyTheRecordKnowsDatabases =
      noClasses()
          .that(not(resideInAPackage("dev.chatflow.record")))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "org.sqlite..", "org.postgresql..");

  /** A header from outside could otherwise make a server look up any name. */
  @ArchTest
  static final ArchRule admissionAsksNoNameService =
      noClasses()
          .that()
          .resideInAPackage("dev.chatflow.server.edge")
          .should()
          .callMethod(InetAddress.class, "getByName", String.class)
          .orShould()
          .callMethod(InetAddress.class, "getAllByName", String.class);

  // --- conventions

  @ArchTest
  static final ArchRule nothingPrints =
      noClasses()
          .that(not(resideInAnyPackage("dev.chatflow.server.launch..")))
          .and()
          .doNotHaveSimpleName("ServerConfig")
          .and()
          .doNotHaveSimpleName("StandaloneMain")
          .should(ACCESS_STANDARD_STREAMS);

  @ArchTest
  static final ArchRule nothingIsGlobalAndMutable =
      fields().that().areStatic().should().beFinal().allowEmptyShould(true);

  @ArchTest
  static final ArchRule nothingSleeps =
      noClasses()
          .should()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(Thread.class, "sleep", long.class, int.class)
          .orShould()
          .callMethod(Thread.class, "sleep", Duration.class)
          .orShould()
          .callMethod(TimeUnit.class, "sleep", long.class);

  /**
   * A thread that polls uses {@code Poll}; a thread that steps machines sleeps until the next work
   * is due. The appender of a full log waits for its readers with the fan-out's clock; they wake
   * it, unless their sinks closed by themselves.
   */
  @ArchTest
  static final ArchRule nothingPolls =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.chatflow.support.Poll")
          .and()
          .doNotHaveFullyQualifiedName("dev.chatflow.support.StepThread")
          .and()
          .doNotHaveFullyQualifiedName("dev.chatflow.room.WriterThreads")
          .should()
          .callMethod(LockSupport.class, "parkNanos", long.class)
          .orShould()
          .callMethod(LockSupport.class, "parkNanos", Object.class, long.class)
          .orShould()
          .callMethod(LockSupport.class, "parkUntil", long.class)
          .orShould()
          .callMethod(LockSupport.class, "parkUntil", Object.class, long.class);

  private static List<String> namesOfPackages(JavaClasses all) {
    return all.stream()
        .map(JavaClass::getPackageName)
        .distinct()
        .map(name -> name.substring(ROOT.length() + 1))
        .toList();
  }
}
