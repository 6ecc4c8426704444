package dev.kvorum.seeds;

import java.util.OptionalLong;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/**
 * The seed of each test: {@code -Dkvorum.seed}, or else a fresh one. JUnit loads this extension for
 * all tests, and what a random test fails with shows its seed.
 *
 * <p>The state is the process's, so that a harness needs no parameter for it: tests of one process
 * run one after the other. It begins before the test's instance is made, whose fields take seeds.
 * What is random in {@code @BeforeAll} has a seed of its own, which is printed.
 */
public final class Seeds
    implements BeforeAllCallback, TestInstancePreConstructCallback, AfterEachCallback {
  private static final String PROPERTY = "kvorum.seed";

  /** Fresh seeds are short, as people copy them. */
  private static final int FRESH_MAX = 1 << 30;

  private static String name = "";
  private static String id = "";
  private static OptionalLong seed = OptionalLong.empty();
  private static int generators;

  /** The seed of the test that runs, each time the same. */
  public static synchronized long seed() {
    if (seed.isEmpty()) {
      String given = System.getProperty(PROPERTY);
      seed =
          OptionalLong.of(given == null ? new Random().nextInt(FRESH_MAX) : Long.parseLong(given));
      if (!name.isEmpty()) {
        System.out.println(replay());
      }
    }
    return seed.getAsLong();
  }

  /**
   * The test's next generator. It differs from those before it and from those that other tests get
   * from the same seed: keys made with it are the test's own on a cluster that tests share.
   */
  public static synchronized Random random() {
    long source = seed() + ((long) id.hashCode() << 32) + generators++;
    return new Random(new SplittableRandom(source).nextLong());
  }

  /** For names that no other test takes, also when all have one seed. */
  public static UUID uuid() {
    Random random = random();
    return new UUID(random.nextLong(), random.nextLong());
  }

  private static String replay() {
    return "%s: seed %d (replay: -D%s=%d)".formatted(name, seed(), PROPERTY, seed());
  }

  private static synchronized void begin(String test, String uniqueId) {
    name = test;
    id = uniqueId;
    seed = OptionalLong.empty();
    generators = 0;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    begin(context.getRequiredTestClass().getSimpleName(), context.getUniqueId());
  }

  /** Of the method, not of its class: invocations of a parameterized test differ. */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public void preConstructTestInstance(
      TestInstanceFactoryContext instance, ExtensionContext context) {
    boolean nested = instance.getOuterInstance().isPresent();
    if (!nested) {
      String method = context.getTestMethod().map(test -> "." + test.getName()).orElse("");
      begin(instance.getTestClass().getSimpleName() + method, context.getUniqueId());
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    synchronized (Seeds.class) {
      if (seed.isPresent()) {
        context.getExecutionException().ifPresent(e -> e.addSuppressed(new Replay(replay())));
      }
      begin("", "");
    }
  }

  /** How to replay the test that failed; its trace would tell nothing. */
  private static final class Replay extends Exception {
    Replay(String message) {
      super(message, null, false, false);
    }
  }
}
