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

/** The lines between packages: docs/architecture.md in executable form. */
@AnalyzeClasses(
    packages = "dev.chatflow",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJar.class})
class ArchitectureTest {

  private static final String ROOT = "dev.chatflow";

  /**
   * What only tests know and the usual option does not: the test support of the consumer library, a
   * jar, and the Java library for programs, which has rules of its own.
   */
  static final class NoTestJar implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar") && !location.contains("/dev/chatflow/chat/");
    }
  }

  // --- directions

  /** What each package may know of ours besides itself; each without the packages below it. */
  private static final Map<String, List<String>> MAY_KNOW =
      """
      config                ->
      start                 ->
      time                  ->
      http                  -> config time
      meter                 -> http
      identity              -> config http message room
      room                  ->
      message               -> room
      broker                -> config room time
      broker.embedded       -> broker
      shard                 -> broker message
      shard.people          -> broker message room shard
      shard.window          -> broker room shard
      shard.reader          -> broker message room shard shard.people shard.window time
      shard.amqp            -> broker message room shard shard.people shard.reader time
      shard.room            -> broker message room shard shard.amqp shard.people shard.reader shard.window time
      shard.follow          -> broker message room shard shard.reader shard.window time
      standalone.store      -> message room shard.follow
      standalone.log        -> broker http message meter room shard.amqp shard.follow shard.reader shard.window standalone.store time
      standalone.answer     -> http message room standalone.store
      standalone.compare    -> standalone.store time
      standalone            -> broker config http identity room shard.reader shard.window standalone.answer standalone.compare standalone.log standalone.store start time
      server.vitals         -> http
      server.publish        -> broker message room server.vitals shard shard.people shard.reader time
      server.edge.sink      -> room
      server.edge.admission -> http message room server.edge.sink shard
      server.edge.tomcat    -> http room server.edge.sink time
      server.edge           -> http identity message room server.edge.admission server.edge.sink server.edge.tomcat server.publish shard shard.people shard.room time
      server.http           -> http identity message room server.edge server.vitals shard.people shard.room
      server.admin          -> http server.http server.vitals
      server.meter          -> broker http identity meter room server.edge server.edge.tomcat server.http server.publish server.vitals shard.people shard.reader shard.room
      server                -> broker config http identity message room server.admin server.edge server.edge.admission server.edge.sink server.edge.tomcat server.http server.meter server.publish server.vitals shard shard.amqp shard.people shard.reader shard.room shard.window time
      server.launch.trial   ->
      server.launch         -> broker broker.embedded config http server server.launch.trial start time
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
          .that(not(resideInAnyPackage("dev.chatflow.standalone..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.chatflow.standalone..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.chatflow.(**)").should().beFreeOfCycles();

  // --- who may know what is not ours

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
          .that(not(resideInAnyPackage("dev.chatflow.server.edge..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta.websocket..");

  @ArchTest
  static final ArchRule onlyTheEdgeHttpAndTheLifecycleKnowServlets =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                      "dev.chatflow.server.edge..",
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
                      "dev.chatflow.server.edge.tomcat", "dev.chatflow.server.launch")))
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
                      "dev.chatflow.standalone",
                      "dev.chatflow.shard.amqp",
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
                      "dev.chatflow.message",
                      "dev.chatflow.http",
                      "dev.chatflow.standalone",
                      "dev.chatflow.standalone.compare")))
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
          .that(not(resideInAPackage("dev.chatflow.standalone.store")))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "org.sqlite..", "org.postgresql..");

  /** A header of a stranger would make a server ask for any name. */
  @ArchTest
  static final ArchRule admissionAsksNoNameService =
      noClasses()
          .that()
          .resideInAPackage("dev.chatflow.server.edge.admission")
          .should()
          .callMethod(InetAddress.class, "getByName", String.class)
          .orShould()
          .callMethod(InetAddress.class, "getAllByName", String.class);

  // --- habits

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
   * A thread that looks again and again does so by {@code Poll}; one that steps machines sleeps
   * until the next thing is due. The appender of a full log waits for its readers by the fan-out's
   * clock; they wake it, but for those whose sinks closed by themselves.
   */
  @ArchTest
  static final ArchRule nothingPolls =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.chatflow.time.Poll")
          .and()
          .doNotHaveFullyQualifiedName("dev.chatflow.time.StepThread")
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
