package dev.kvorum.seeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A random test that fails, and its replay. */
class SeedsTest {
  private static final String PROPERTY = "kvorum.seed";

  /** The launcher that runs this test must not report the failures as its own. */
  private static final LauncherConfig ALONE =
      LauncherConfig.builder()
          .enableLauncherSessionListenerAutoRegistration(false)
          .enableLauncherDiscoveryListenerAutoRegistration(false)
          .enableTestExecutionListenerAutoRegistration(false)
          .build();

  /** What a test took: its seed, and a number of each of two generators. */
  private record Taken(long seed, int first, int second) {}

  private static final List<Taken> TAKEN = new ArrayList<>();
  private final @Nullable String given = System.getProperty(PROPERTY);

  @BeforeEach
  void clear() {
    System.clearProperty(PROPERTY);
    TAKEN.clear();
  }

  @AfterEach
  void restore() {
    System.clearProperty(PROPERTY);
    Optional.ofNullable(given).ifPresent(seed -> System.setProperty(PROPERTY, seed));
  }

  /** Surefire leaves out nested classes. */
  static final class Failing {
    private final Random first = Seeds.random();

    @RepeatedTest(2)
    void fails() {
      TAKEN.add(new Taken(Seeds.seed(), first.nextInt(), Seeds.random().nextInt()));
      fail("on purpose");
    }
  }

  static final class FailingWithoutASeed {
    @Test
    void fails() {
      fail("on purpose");
    }
  }

  private static List<Throwable> failures(Class<?> test) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(test))
            .filters(EngineFilter.includeEngines("junit-jupiter"))
            .build();
    List<Throwable> failures = new ArrayList<>();
    TestExecutionListener listener =
        new TestExecutionListener() {
          @Override
          public void executionFinished(TestIdentifier of, TestExecutionResult result) {
            result.getThrowable().ifPresent(failures::add);
          }
        };
    LauncherFactory.create(ALONE).execute(request, listener);
    return failures;
  }

  @Test
  void aFailureShowsTheSeedThatReplaysIt() {
    List<Throwable> failures = failures(Failing.class);
    assertThat(failures).hasSize(2);
    for (int i = 0; i < 2; i++) {
      long seed = TAKEN.get(i).seed();
      assertThat(failures.get(i).getSuppressed())
          .extracting(Throwable::getMessage)
          .containsExactly(
              "Failing.fails: seed %d (replay: -Dkvorum.seed=%d)".formatted(seed, seed));
    }
  }

  @Test
  void everyRepetitionHasASeedOfItsOwnAndIsReplayedFromIt() {
    failures(Failing.class);
    List<Taken> fresh = List.copyOf(TAKEN);
    assertThat(fresh).extracting(Taken::seed).hasSize(2).doesNotHaveDuplicates();
    for (int i = 0; i < 2; i++) {
      TAKEN.clear();
      System.setProperty(PROPERTY, Long.toString(fresh.get(i).seed()));
      failures(Failing.class);
      assertThat(TAKEN.get(i)).isEqualTo(fresh.get(i));
    }
  }

  @Test
  void generatorsOfOneSeedDiffer() {
    System.setProperty(PROPERTY, "7");
    failures(Failing.class);
    assertThat(TAKEN).extracting(Taken::seed).containsExactly(7L, 7L);
    assertThat(TAKEN)
        .flatExtracting(Taken::first, Taken::second)
        .hasSize(4)
        .doesNotHaveDuplicates();
  }

  @Test
  void aFailureThatIsNotRandomShowsNoSeed() {
    assertThat(failures(FailingWithoutASeed.class))
        .singleElement()
        .satisfies(failure -> assertThat(failure.getSuppressed()).isEmpty());
  }
}
