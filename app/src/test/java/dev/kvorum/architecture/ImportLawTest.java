package dev.kvorum.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which package may import which, as the package-infos state. */
@AnalyzeClasses(packages = "dev.kvorum", importOptions = ImportOption.DoNotIncludeTests.class)
class ImportLawTest {
  static final String ROOT = "dev.kvorum";
  private static final String[] FOR_ALL = {"java..", "org.jspecify.annotations.."};
  private static final Set<String> SHELL = Set.of("", "boot", "node");

  @ArchTest
  static void everyPackageImportsWhatTheLawAllows(JavaClasses all) {
    for (String part : packages(all)) {
      if (!SHELL.contains(part)) {
        assertThat(ImportLaw.BY_PACKAGE).as("a line for the new package").containsKey(part);
        imports(part, ImportLaw.BY_PACKAGE.get(part)).check(all);
      }
    }
    assertThat(packages(all)).as("packages with a line").containsAll(ImportLaw.BY_PACKAGE.keySet());
  }

  static Set<String> packages(JavaClasses all) {
    return all.stream()
        .map(type -> part(type.getPackageName()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static String part(String name) {
    return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
  }

  static String name(String part) {
    return part.isEmpty() ? ROOT : ROOT + "." + part;
  }

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
      slices().matching("dev.kvorum.(**)").should().beFreeOfCycles();

  /** A part depends on Spring by the records that Spring binds, and by nothing else. */
  @ArchTest
  static final ArchRule partsTouchSpringInTheirSettingsAlone =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              ROOT, own("boot"), own("config"), own("console"), own("http"), own("http.connection"))
          .and()
          .haveSimpleNameNotEndingWith("Settings")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.springframework..");

  @ArchTest
  static final ArchRule onlyRocksAndSalvageTouchRocksDb =
      noClasses()
          .that()
          .resideOutsideOfPackages(own("storage.rocks"), own("storage.salvage"))
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
          .resideInAPackage(ImportLaw.OPEN_TELEMETRY);

  @ArchTest
  static final ArchRule onlyMembershipAndServiceAccountsTouchKubernetes =
      noClasses()
          .that()
          .resideOutsideOfPackages(own("membership"), own("auth.serviceaccount"))
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
          .resideInAnyPackage("reactor..", "org.springframework..", ImportLaw.LOG, ImportLaw.NETTY);

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
    return name(part);
  }

  private static ArchRule imports(String part, List<String> allowed) {
    String[] packages =
        Stream.of(List.of(FOR_ALL), allowed, List.of(name(part)))
            .flatMap(List::stream)
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(name(part))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(packages));
  }
}
