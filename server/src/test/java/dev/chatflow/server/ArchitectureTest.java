package dev.chatflow.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The lines between packages: docs/architecture.md in executable form. */
@AnalyzeClasses(
    packages = "dev.chatflow",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJar.class})
class ArchitectureTest {

  /** More than this and a package holds two things. */
  private static final long MAX_TYPES = 14;

  /** The library's test support comes as a jar, which the usual option does not know. */
  static final class NoTestJar implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  // --- directions: what a package may know of ours, besides itself

  @ArchTest static final ArchRule logsKnowNobody = knows("room.log");

  @ArchTest static final ArchRule roundsKnowLogs = knows("room.fanout", "room.log");

  @ArchTest static final ArchRule roomsKnowRoundsAndLogs = knows("room", "room.fanout", "room.log");

  @ArchTest static final ArchRule timeKnowsNobody = knows("time");

  @ArchTest static final ArchRule configurationKnowsNobody = knows("config");

  @ArchTest static final ArchRule answersKnowNobody = knows("http");

  @ArchTest static final ArchRule metersKnowAnswers = knows("meter", "http");

  @ArchTest static final ArchRule jsonKnowsNobody = knows("message.json");

  @ArchTest
  static final ArchRule messagesKnowRoomsAndJson = knows("message", "message.json", "room");

  @ArchTest
  static final ArchRule linesKnowMessages =
      knows("message.line", "message", "message.json", "room", "room.log");

  @ArchTest static final ArchRule theBrokerKnowsRooms = knows("broker", "config", "room", "time");

  @ArchTest
  static final ArchRule theEmbeddedBrokerKnowsTheBroker = knows("broker.embedded", "broker");

  @ArchTest
  static final ArchRule readingKnowsLinesAndTheBroker =
      knows("consumer", "broker", "message.line", "room", "time");

  @ArchTest
  static final ArchRule aServersReadingKnowsItsRooms =
      knows("consumer.room", "broker", "consumer", "message", "message.line", "room", "room.log");

  @ArchTest
  static final ArchRule recordsKnowLines =
      knows("standalone.record", "message.line", "message", "room", "room.log");

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

  @ArchTest static final ArchRule vitalsKnowNobody = knows("server.vitals", "http");

  @ArchTest
  static final ArchRule channelsKnowTheBroker = knows("server.publish.channel", "broker", "room");

  @ArchTest
  static final ArchRule lanesKnowNobodyWhoPublishes =
      noClasses()
          .that()
          .resideInAPackage("dev.chatflow.server.publish..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.chatflow.server",
              "dev.chatflow.server.edge..",
              "dev.chatflow.server.http..",
              "dev.chatflow.server.meter..");

  @ArchTest
  static final ArchRule sinksKnowLogs = knows("server.edge.sink", "room", "room.log", "time");

  @ArchTest
  static final ArchRule admissionKnowsMessagesAndWires =
      knows("server.edge.admission", "http", "message", "server.edge.sink");

  @ArchTest
  static final ArchRule tomcatsKnowSinks =
      knows("server.edge.tomcat", "room", "room.log", "server.edge.sink", "time");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.chatflow.(**)").should().beFreeOfCycles();

  @ArchTest
  static void noPackageIsWide(JavaClasses all) {
    Map<String, Long> types =
        all.stream()
            .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
            .collect(groupingBy(JavaClass::getPackageName, counting()));
    assertThat(types.entrySet().stream().filter(each -> each.getValue() > MAX_TYPES))
        .as("packages of more than %d types", MAX_TYPES)
        .isEmpty();
  }

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
                      "dev.chatflow.consumer..",
                      "dev.chatflow.standalone",
                      "dev.chatflow.server.publish..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.rabbitmq..");

  @ArchTest
  static final ArchRule onlyMessagesAndAnswersKnowJson =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                      "dev.chatflow.message.json", "dev.chatflow.http", "dev.chatflow.standalone")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.google.gson..");

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
   * A thread that looks again and again does so by {@code Poll}. The appender of a full log waits
   * for its readers, which wake it, but for those whose sinks closed by themselves.
   */
  @ArchTest
  static final ArchRule nothingPolls =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.chatflow.time.Poll")
          .and()
          .doNotHaveFullyQualifiedName("dev.chatflow.room.Readers")
          .should()
          .callMethod(LockSupport.class, "parkNanos", long.class)
          .orShould()
          .callMethod(LockSupport.class, "parkNanos", Object.class, long.class)
          .orShould()
          .callMethod(LockSupport.class, "parkUntil", long.class)
          .orShould()
          .callMethod(LockSupport.class, "parkUntil", Object.class, long.class);

  /**
   * A package knows itself, everything outside of ours, and these of ours.
   *
   * @param others below {@code dev.chatflow}, each without the packages below it
   */
  private static ArchRule knows(String name, String... others) {
    String ours = "dev.chatflow.";
    String allowed =
        java.util.Arrays.stream(others)
            .map(other -> ours + other)
            .collect(Collectors.joining(", "));
    return noClasses()
        .that()
        .resideInAPackage(ours + name)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("dev.chatflow..")
                .and(not(resideInAnyPackage(ours + name)))
                .and(
                    not(
                        resideInAnyPackage(
                            java.util.Arrays.stream(others)
                                .map(other -> ours + other)
                                .toArray(String[]::new)))))
        .as(ours + name + " should know of ours only " + (others.length == 0 ? "itself" : allowed));
  }
}
