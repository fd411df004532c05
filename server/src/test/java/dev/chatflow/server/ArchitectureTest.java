package dev.chatflow.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The lines between the rooms of the house: docs/architecture.md in executable form. */
@AnalyzeClasses(
    packages = "dev.chatflow",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJar.class})
class ArchitectureTest {

  /** The library's test support comes as a jar, which the usual option does not know. */
  static final class NoTestJar implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

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
  static final ArchRule messagesNeedOnlyRoomsAndJson =
      noClasses()
          .that()
          .resideInAPackage("dev.chatflow.message..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.chatflow.broker..", "dev.chatflow.consumer..", "dev.chatflow.server..");

  @ArchTest
  static final ArchRule theBrokerKnowsNobodyAbove =
      noClasses()
          .that()
          .resideInAPackage("dev.chatflow.broker..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.chatflow.message..", "dev.chatflow.consumer..", "dev.chatflow.server..");

  @ArchTest
  static final ArchRule theLibraryDoesNotKnowTheServer =
      noClasses()
          .that()
          .resideInAnyPackage("dev.chatflow.consumer..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.chatflow.server..");

  @ArchTest
  static final ArchRule onlyTheEdgeKnowsWebSocket =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                      "dev.chatflow.server",
                      "dev.chatflow.server.edge..",
                      "dev.chatflow.server.http..",
                      "dev.chatflow.server.launch..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jakarta..");

  @ArchTest
  static final ArchRule onlyEdgeAndLauncherKnowTomcat =
      noClasses()
          .that(
              not(resideInAnyPackage("dev.chatflow.server.edge..", "dev.chatflow.server.launch..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.(catalina|coyote|tomcat)..");

  @ArchTest
  static final ArchRule onlyTheBrokerSideKnowsAmqp =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                      "dev.chatflow.broker..",
                      "dev.chatflow.consumer",
                      "dev.chatflow.server.publish")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.rabbitmq..");

  @ArchTest
  static final ArchRule onlyMessagesAndHttpAnswersKnowJson =
      noClasses()
          .that(
              not(
                  resideInAnyPackage(
                      "dev.chatflow.message..",
                      "dev.chatflow.consumer.audit",
                      "dev.chatflow.server.http..")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.google.gson..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.chatflow.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule nothingPrints =
      noClasses()
          .that(not(resideInAnyPackage("dev.chatflow.server.launch..")))
          .and()
          .doNotHaveSimpleName("ServerConfig")
          .and()
          .doNotHaveSimpleName("Main")
          .and()
          .doNotHaveSimpleName("ConsumerMain")
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
}
