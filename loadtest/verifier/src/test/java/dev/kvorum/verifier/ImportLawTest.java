package dev.kvorum.verifier;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The jar is started without any library, and checks nodes without code of theirs. */
@AnalyzeClasses(packages = "dev.kvorum", importOptions = ImportOption.DoNotIncludeTests.class)
class ImportLawTest {
  @ArchTest
  static final ArchRule theVerifierImportsTheJdkOnly =
      classes()
          .should()
          .resideInAPackage("dev.kvorum.verifier")
          .andShould()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", "javax.net.ssl..", "org.jspecify.annotations..", "dev.kvorum.verifier");
}
