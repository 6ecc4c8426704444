package dev.kvorum.simulation.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.simulation.QuietLogs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests the unit tests: with its rule broken, one that holds it must fail. */
@ExtendWith(QuietLogs.class)
class UnitMutantsTest {
  /** The launcher that runs this test must not report those tests as its own. */
  private static final LauncherConfig ALONE =
      LauncherConfig.builder()
          .enableLauncherSessionListenerAutoRegistration(false)
          .enableLauncherDiscoveryListenerAutoRegistration(false)
          .enableTestExecutionListenerAutoRegistration(false)
          .build();

  @ParameterizedTest
  @EnumSource
  void aUnitTestFails(UnitMutant mutant) throws ClassNotFoundException {
    assertCaught(mutant.rule(), mutant);
  }

  @ParameterizedTest
  @EnumSource
  void aTestOfTheOperatorFails(OperatorUnitMutant mutant) throws ClassNotFoundException {
    assertCaught(mutant.rule(), mutant);
  }

  private static void assertCaught(BrokenRule rule, Enum<?> mutant) throws ClassNotFoundException {
    Results broken = run(rule, rule.patches());
    assertThat(broken.failed).as("%s with %s", rule.test(), mutant).containsExactly(rule.method());
  }

  /** It is the mutant that fails the tests, not the loading of their classes. */
  @Test
  void withoutAMutantAUnitTestPasses() throws ClassNotFoundException {
    BrokenRule rule = UnitMutant.PULLING_MEMBERS_DO_NOT_COUNT.rule();
    assertThat(run(rule, List.of()).passed).containsExactly(rule.method());
  }

  private static Results run(BrokenRule rule, List<Patch> patches) throws ClassNotFoundException {
    Class<?> test = Class.forName(rule.test(), true, new PatchedClasses(patches));
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectMethod(test, rule.method()))
            .filters(EngineFilter.includeEngines("junit-jupiter"))
            .build();
    Results results = new Results();
    LauncherFactory.create(ALONE).execute(request, results);
    return results;
  }

  /** Methods that passed, and those of which an assertion failed. */
  private static final class Results implements TestExecutionListener {
    private final List<String> passed = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.getSource().orElse(null) instanceof MethodSource method) {
        if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
          passed.add(method.getMethodName());
        } else if (result.getThrowable().orElse(null) instanceof AssertionError) {
          failed.add(method.getMethodName());
        }
      }
    }
  }
}
