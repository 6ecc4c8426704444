package dev.kvorum.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.settings.TestSettings;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlobCollectorTest {
  private static final long MIB = 1 << 20;
  private static final long BLOBS = 1000 * MIB;

  private final List<String> asked = new ArrayList<>();
  private long tables = 8 * MIB;
  private long garbage;
  private long flushed;

  /** Above 400 MiB of garbage, with few tables. */
  private final BlobCollector collector = collector("blob-min=1KB", "blob-space-max=1.6");

  private BlobCollector collector(String... settings) {
    Engine engine =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "stats" -> stats();
                      case "compactRecords" -> asked.add("compact " + arguments[0]);
                      case "collectBlobs" ->
                          asked.add("collect " + arguments[0] + " " + arguments[1]);
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    return new BlobCollector(engine, TestSettings.of(StorageSettings.class, settings));
  }

  private EngineStats stats() {
    EngineStats none = EngineStats.NONE;
    return new EngineStats(
        0,
        0,
        tables,
        0,
        new EngineStats.Blobs(30, BLOBS, garbage),
        0,
        0,
        0,
        0,
        none.levelFiles(),
        false,
        new EngineStats.Counts(0, 0, 0, 0, 0, flushed, 0, 0));
  }

  private List<String> askedAt(long garbageMib) throws Exception {
    return askedAt(collector, garbageMib);
  }

  private List<String> askedAt(BlobCollector which, long garbageMib) throws Exception {
    garbage = garbageMib * MIB;
    asked.clear();
    which.collect();
    return List.copyOf(asked);
  }

  @Test
  void collectsMoreTheMoreGarbageThereIs() throws Exception {
    assertThat(askedAt(0)).isEmpty();
    assertThat(askedAt(150)).isEmpty();
    assertThat(askedAt(200)).containsExactly("collect 0.05 false");
    assertThat(askedAt(250)).isEmpty();
    assertThat(askedAt(320)).containsExactly("collect 0.1 false");
    assertThat(askedAt(100)).containsExactly("collect 0.0 false");
  }

  @Test
  void collectsAtFullSpeedAboveTheBoundUntilItIsWellBelow() throws Exception {
    assertThat(askedAt(400)).containsExactly("collect 0.25 true", "compact true");
    assertThat(askedAt(390)).containsExactly("collect 0.5 true", "compact true");
    assertThat(askedAt(380)).containsExactly("collect 0.75 true", "compact true");
    assertThat(askedAt(370)).containsExactly("collect 1.0 true", "compact true");
    assertThat(askedAt(360)).containsExactly("compact true");
    assertThat(askedAt(280)).containsExactly("collect 0.05 false");
  }

  @Test
  void rewritesNoTablesThatAreLargerThanTheGarbage() throws Exception {
    tables = 4000 * MIB;
    assertThat(askedAt(1000)).containsExactly("collect 0.05 false");
    tables = 1001 * MIB;
    assertThat(askedAt(1000)).containsExactly("collect 0.3 true");
  }

  /** What was overwritten is no garbage until a compaction has dropped its key. */
  @Test
  void compactsWhenThereMayBeGarbageThatIsNotYetCounted() throws Exception {
    flushed = 300 * MIB;
    assertThat(askedAt(50)).isEmpty();
    flushed = 350 * MIB;
    assertThat(askedAt(50)).containsExactly("compact false");
    assertThat(askedAt(50)).isEmpty();
    flushed = 690 * MIB;
    assertThat(askedAt(50)).containsExactly("compact false");
  }

  @Test
  void emptiesAllFilesOnceRecordsAreNotStoredInThem() throws Exception {
    assertThat(askedAt(collector("blob-min=0"), 0))
        .containsExactly("collect 1.0 false", "compact true");
  }
}
