package dev.kvorum.operator.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;

/** Which package may import which, as the package-infos state, in operator-plan as well. */
@AnalyzeClasses(
    packages = "dev.kvorum.operator",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ImportLawTest {
  private static final String[] FOR_ALL = {"java..", "org.jspecify.annotations.."};
  private static final String MODEL = "io.fabric8.kubernetes.api.model..";

  @ArchTest
  static final ArchRule apiImportsFabric8sModelAndAnnotations =
      imports(
          "api",
          MODEL,
          "io.fabric8.kubernetes.model.annotation..",
          "io.fabric8.kubernetes.client",
          "io.fabric8.crd.generator.annotation..",
          "io.fabric8.generator.annotation..",
          "com.fasterxml.jackson.annotation..");

  @ArchTest
  static final ArchRule resourcesImportApiAndTheModel =
      imports(
          "resources",
          own("api"),
          MODEL,
          "io.fabric8.kubernetes.client..",
          "io.fabric8.kubernetes.model.annotation..",
          "com.fasterxml.jackson.annotation..");

  @ArchTest static final ArchRule viewsImportApiAndTheModel = imports("view", own("api"), MODEL);

  @ArchTest
  static final ArchRule observeImportsApiJobsViewsAndResources =
      imports(
          "observe",
          own("api"),
          own("job"),
          own("view"),
          own("certificates"),
          own("users"),
          own("resources"),
          "io.fabric8.kubernetes..",
          "com.fasterxml.jackson..",
          "javax.net.ssl..");

  @ArchTest
  static final ArchRule usersImportApiAndResources =
      imports("users", own("api"), own("resources"), MODEL, "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule certificatesImportApiAndResources =
      imports(
          "certificates",
          own("api"),
          own("resources"),
          MODEL,
          "javax.net.ssl..",
          "javax.security..",
          "org.bouncycastle..");

  @ArchTest
  static final ArchRule jobsImportTheirUsers =
      imports(
          "job",
          own("api"),
          own("view"),
          own("resources"),
          "io.fabric8.kubernetes..",
          "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule backupsImportJobsAndObjects =
      imports(
          "backup",
          "dev.kvorum.operator.act..",
          own("api"),
          own("job"),
          own("view"),
          own("resources"),
          "io.fabric8.kubernetes..",
          "com.fasterxml.jackson..",
          "com.cronutils..");

  @ArchTest
  static final ArchRule plansAreMadeFromValuesAlone =
      imports("plan", own("api"), own("view"), "dev.kvorum.placement.table");

  @ArchTest
  static final ArchRule plansHaveNoClock =
      noClasses()
          .that()
          .resideInAnyPackage(own("plan"), own("loadtest.plan"), own("backup"))
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class);

  @ArchTest
  static final ArchRule actImportsWhatItCarriesOut =
      imports(
          "act",
          own("api"),
          own("job"),
          own("view"),
          own("observe"),
          own("plan"),
          own("users"),
          own("resources"),
          "io.fabric8.kubernetes..");

  @ArchTest
  static final ArchRule reportImportsNoClient =
      imports("report", own("api"), own("view"), own("plan"), own("resources"), MODEL);

  @ArchTest
  static final ArchRule objectsOfLoadTestsImportApiAndTheModel =
      imports("loadtest.resources", own("api"), MODEL);

  @ArchTest
  static final ArchRule observingLoadTestsImportsTheirObjects =
      imports(
          "loadtest.observe",
          own("api"),
          own("job"),
          own("view"),
          own("loadtest.resources"),
          "io.fabric8.kubernetes..",
          "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule plansOfLoadTestsAreMadeFromValuesAlone =
      imports(
          "loadtest.plan",
          own("api"),
          own("view"),
          own("loadtest.observe"),
          own("loadtest.resources"));

  @ArchTest
  static final ArchRule actingOnLoadTestsImportsWhatItCarriesOut =
      imports(
          "loadtest.act",
          "dev.kvorum.operator.act..",
          own("api"),
          own("loadtest.observe"),
          own("loadtest.plan"),
          own("loadtest.resources"),
          MODEL);

  @ArchTest
  static final ArchRule reportingLoadTestsImportsNoClient =
      imports("loadtest.report", own("api"), own("loadtest.observe"), own("loadtest.plan"), MODEL);

  @ArchTest
  static final ArchRule clustersKnowNothingOfLoadTests =
      noClasses()
          .that()
          .resideInAnyPackage(
              own("api"),
              own("view"),
              own("resources"),
              own("job"),
              own("observe"),
              own("plan"),
              own("act"),
              own("report"))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(own("loadtest"));

  @ArchTest
  static final ArchRule nobodyImportsTheRoot =
      noClasses()
          .that()
          .resideInAPackage("dev.kvorum.operator.(*)..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.kvorum.operator");

  @ArchTest
  static final ArchRule noPackagesGoInCircles =
      slices().matching("dev.kvorum.operator.(*)..").should().beFreeOfCycles();

  private static String own(String part) {
    return "dev.kvorum.operator." + part + "..";
  }

  private static ArchRule imports(String part, String... allowed) {
    String[] packages =
        Stream.of(FOR_ALL, allowed, new String[] {own(part)})
            .flatMap(Arrays::stream)
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(own(part))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(packages);
  }
}
