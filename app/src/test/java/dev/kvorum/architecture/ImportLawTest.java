package dev.kvorum.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/** Who may import whom, as the package-infos say. */
@AnalyzeClasses(packages = "dev.kvorum", importOptions = ImportOption.DoNotIncludeTests.class)
class ImportLawTest {
  private static final String[] FOR_ALL = {"java..", "org.jspecify.annotations.."};
  private static final String LOG = "org.slf4j..";
  private static final String NETTY = "io.netty..";
  private static final String OPEN_TELEMETRY = "io.opentelemetry..";
  private static final String REACTOR = "reactor.core..";
  private static final Set<String> ANSWERS =
      Set.of(
          "ChecksumVerifier",
          "Lookup",
          "Applied",
          "Scanned",
          "ScanLimits",
          "Waiter",
          "Store",
          "HintStore",
          "LostKeys",
          "MarkStore",
          "Salvaged",
          "SetAsideStores");
  private static final DescribedPredicate<JavaClass> STORE_ANSWERS =
      describe(
          "the store's answers",
          type -> {
            String name = type.getBaseComponentType().getName();
            String prefix = "dev.kvorum.storage.";
            return name.startsWith(prefix)
                && ANSWERS.stream()
                    .map(answer -> prefix + answer)
                    .anyMatch(answer -> name.equals(answer) || name.startsWith(answer + "$"));
          });

  @ArchTest static final ArchRule dataImportsTheJdkOnly = imports("data");

  @ArchTest static final ArchRule topologyImportsTheJdkOnly = imports("topology");

  @ArchTest static final ArchRule workloadImportsTheJdkOnly = imports("workload");

  @ArchTest
  static final ArchRule metricsImportsMicrometerOnly = imports("metrics", "io.micrometer..");

  @ArchTest
  static final ArchRule tracingImportsOpenTelemetryOnly = imports("tracing", OPEN_TELEMETRY);

  @ArchTest
  static final ArchRule placementImportsDataAndTopology =
      imports("placement", own("data"), own("topology"), "com.dynatrace.hash4j..");

  @ArchTest
  static final ArchRule membershipImportsTopologyAndMetrics =
      imports("membership", own("topology"), own("metrics"), LOG, "io.fabric8..");

  @ArchTest
  static final ArchRule storageImportsDataTopologyMetricsAndRocksDb =
      imports(
          "storage",
          own("data"),
          own("topology"),
          own("metrics"),
          LOG,
          "org.rocksdb..",
          "org.jctools..");

  @ArchTest
  static final ArchRule replicaImportsStorageAndNetty =
      imports(
          "replica",
          own("data"),
          own("topology"),
          own("storage"),
          own("metrics"),
          own("tracing"),
          LOG,
          NETTY);

  @ArchTest
  static final ArchRule coordinatorImportsReplicaAndTheStoresAnswers =
      imports(
          "coordinator",
          STORE_ANSWERS,
          own("data"),
          own("topology"),
          own("placement"),
          own("replica"),
          own("metrics"),
          own("tracing"),
          LOG,
          REACTOR);

  @ArchTest
  static final ArchRule backgroundImportsReplicaAndTheStoresAnswers =
      imports(
          "background",
          STORE_ANSWERS,
          own("data"),
          own("topology"),
          own("placement"),
          own("replica"),
          own("metrics"),
          LOG);

  @ArchTest
  static final ArchRule repairImportsTheBackground =
      imports(
          "repair",
          STORE_ANSWERS,
          own("data"),
          own("topology"),
          own("placement"),
          own("replica"),
          own("background"),
          own("metrics"),
          LOG,
          "com.dynatrace.hash4j..");

  @ArchTest
  static final ArchRule rebalanceImportsTheBackgroundButNotRepair =
      imports(
          "rebalance",
          STORE_ANSWERS,
          own("data"),
          own("topology"),
          own("placement"),
          own("replica"),
          own("background"),
          own("metrics"),
          LOG);

  @ArchTest
  static final ArchRule httpImportsNeitherPlacementNorReplicaNorStorage =
      imports(
          "http",
          own("data"),
          own("topology"),
          own("coordinator"),
          own("rebalance"),
          own("metrics"),
          own("tracing"),
          LOG,
          NETTY,
          "reactor..",
          "org.reactivestreams..",
          "org.springframework..",
          "tools.jackson..",
          "com.netflix.concurrency..",
          "io.micrometer..");

  @ArchTest
  static final ArchRule consoleImportsPlacement =
      imports("console", own("topology"), own("placement"), "reactor..", "org.springframework..");

  @ArchTest
  static final ArchRule nobodyImportsTheRoot =
      noClasses()
          .that()
          .resideInAPackage("dev.kvorum.(*)..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.kvorum");

  @ArchTest
  static final ArchRule noPackagesGoInCircles =
      slices().matching("dev.kvorum.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule onlyStorageTouchesRocksDb =
      noClasses()
          .that()
          .resideOutsideOfPackage(own("storage"))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.rocksdb..");

  @ArchTest
  static final ArchRule onlyTracingTouchesOpenTelemetry =
      noClasses()
          .that()
          .resideOutsideOfPackage(own("tracing"))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(OPEN_TELEMETRY);

  @ArchTest
  static final ArchRule onlyMembershipTouchesKubernetes =
      noClasses()
          .that()
          .resideOutsideOfPackage(own("membership"))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule trackersThinkAndDoNothingElse =
      noClasses()
          .that()
          .haveNameMatching(".*(Tracker|Planner)(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("reactor..", "org.springframework..", LOG, NETTY);

  @ArchTest
  static final ArchRule trackersTakeTheTimeAsAParameter =
      noClasses()
          .that()
          .haveNameMatching(".*(Tracker|Planner)(\\$.*)?")
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  private static String own(String part) {
    return "dev.kvorum." + part + "..";
  }

  private static ArchRule imports(String part, String... allowed) {
    return imports(part, DescribedPredicate.alwaysFalse(), allowed);
  }

  private static ArchRule imports(
      String part, DescribedPredicate<JavaClass> also, String... allowed) {
    String[] packages =
        Stream.of(FOR_ALL, allowed, new String[] {own(part)})
            .flatMap(Arrays::stream)
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(own(part))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(packages).or(also));
  }
}
