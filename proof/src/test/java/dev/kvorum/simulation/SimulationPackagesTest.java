package dev.kvorum.simulation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.List;

/** A package of the simulation imports only those that come before it. */
@AnalyzeClasses(
    packages = "dev.kvorum.simulation",
    importOptions = ImportOption.OnlyIncludeTests.class)
class SimulationPackagesTest {
  private static final String ROOT = "dev.kvorum.simulation";

  /** The empty name is the package of the runs, which has all before it. */
  private static final List<String> ORDER =
      List.of(
          ".storage",
          ".run",
          ".network",
          ".cluster",
          ".clients",
          ".operators",
          ".faults",
          "",
          ".mutants");

  @ArchTest
  static void aPackageImportsOnlyEarlierOnes(JavaClasses all) {
    for (int i = 0; i < ORDER.size() - 1; i++) {
      noClasses()
          .that()
          .resideInAPackage(ROOT + ORDER.get(i))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(names(ORDER.subList(i + 1, ORDER.size())))
          .check(all);
    }
  }

  @ArchTest
  static void everyPackageHasItsPlace(JavaClasses all) {
    noClasses().should().resideOutsideOfPackages(names(ORDER)).check(all);
  }

  private static String[] names(List<String> parts) {
    return parts.stream().map(part -> ROOT + part).toArray(String[]::new);
  }
}
