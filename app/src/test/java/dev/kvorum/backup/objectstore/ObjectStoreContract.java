package dev.kvorum.backup.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What all stores do. */
abstract class ObjectStoreContract {
  /** Names that are listed at once: few, so that few are needed for several pages. */
  static final int PAGE = 3;

  protected ObjectStore store;

  /** A store without objects, which lists in pages of {@link #PAGE}. */
  abstract ObjectStore open() throws Exception;

  int largeBytes() {
    return 20 << 20;
  }

  @BeforeEach
  void openStore() throws Exception {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  String text(String name) throws IOException {
    return new String(store.read(name, 1000), UTF_8);
  }

  List<String> names(String prefix) throws IOException {
    List<String> names = new ArrayList<>();
    store.list(prefix, object -> names.add(object.name()));
    return names;
  }

  void assertAbsent(String name) throws IOException {
    assertThatExceptionOfType(NoSuchObjectException.class)
        .isThrownBy(() -> store.get(name).close())
        .withMessageContaining(name);
    assertThat(names("")).doesNotContain(name);
  }

  @Test
  void anObjectIsReadAsItWasStored() throws IOException {
    store.put("backups/b-1/manifest.json", bytes("{}"));

    assertThat(text("backups/b-1/manifest.json")).isEqualTo("{}");
  }

  @Test
  void anObjectIsReplaced() throws IOException {
    store.put("a/b", bytes("before, and longer"));
    store.put("a/b", bytes("after"));

    assertThat(text("a/b")).isEqualTo("after");
    assertThat(names("")).containsExactly("a/b");
  }

  @Test
  void anObjectMayBeEmpty() throws IOException {
    store.put("empty", new byte[0]);

    assertThat(store.read("empty", 0)).isEmpty();
    store.list("", object -> assertThat(object.bytes()).isZero());
    assertThat(names("")).containsExactly("empty");
  }

  @Test
  void aLargeObjectIsStreamed() throws Exception {
    byte[] large = new byte[largeBytes()];
    new Random(7).nextBytes(large);

    store.put("objects/large", large.length, () -> new ByteArrayInputStream(large));

    MessageDigest read = MessageDigest.getInstance("SHA-256");
    try (InputStream in = store.get("objects/large")) {
      byte[] buffer = new byte[100_000];
      for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
        read.update(buffer, 0, bytes);
      }
    }
    assertThat(HexFormat.of().formatHex(read.digest()))
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(large)));
  }

  @Test
  void aStreamMayBeClosedBeforeItsEnd() throws Exception {
    store.put("objects/large", new byte[1 << 20]);

    try (InputStream in = store.get("objects/large")) {
      assertThat(in.readNBytes(10)).hasSize(10);
    }

    assertThat(store.read("objects/large", 1 << 20)).hasSize(1 << 20);
  }

  @Test
  void aListingHasAllPagesInOrderOfNames() throws IOException {
    List<String> stored =
        List.of("a-b", "a.b", "a/0", "a/b-c", "a/b/c", "a/b/d", "a0", "ab", "b/1", "b/2", "c");
    for (String name : stored.reversed()) {
      store.put(name, bytes(name));
    }

    assertThat(names("")).containsExactlyElementsOf(stored);
    assertThat(names("a/")).containsExactly("a/0", "a/b-c", "a/b/c", "a/b/d");
    assertThat(names("a/b")).containsExactly("a/b-c", "a/b/c", "a/b/d");
    assertThat(names("a/b/")).containsExactly("a/b/c", "a/b/d");
    assertThat(names("b")).containsExactly("b/1", "b/2");
    assertThat(names("nothing/here")).isEmpty();
    assertThat(names("c/")).isEmpty();
  }

  @Test
  void aListingHasLengthsAndTimes() throws IOException {
    store.put("a", bytes("12345"));

    store.list(
        "a",
        object -> {
          assertThat(object.bytes()).isEqualTo(5);
          assertThat(Duration.between(object.modified(), Instant.now()).abs())
              .isLessThan(Duration.ofMinutes(1));
        });
  }

  @Test
  void aDeletedObjectIsGone() throws IOException {
    store.put("a/b", bytes("1"));
    store.put("a/c", bytes("2"));

    assertThat(store.delete("a/b")).isTrue();

    assertAbsent("a/b");
    assertThat(text("a/c")).isEqualTo("2");
  }

  @Test
  void whatABeginningOfNamesWasMayBecomeAName() throws IOException {
    store.put("a/b/c", bytes("1"));
    store.delete("a/b/c");
    store.put("a", bytes("2"));

    assertThat(names("")).containsExactly("a");
  }

  @Test
  void anAbsentObjectIsNotReadAndDeletedWithoutError() throws IOException {
    store.put("a/b", bytes("1"));

    assertAbsent("a");
    assertAbsent("a/c");
    assertAbsent("c/d");
    store.delete("a/c");
    store.delete("a");
    store.delete("c/d");
    assertThat(names("")).containsExactly("a/b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/a",
        "a/",
        "a//b",
        ".",
        "..",
        "../a",
        "a/../b",
        "a/./b",
        "a/..",
        "a\\b",
        "a b",
        "a%2e",
        "ä",
        "a\u0000",
        "~unfinished/a"
      })
  void aNameThatCouldLeadOutIsRejected(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> store.put(name, bytes("1")));
    assertThatIllegalArgumentException().isThrownBy(() -> store.get(name));
    assertThatIllegalArgumentException().isThrownBy(() -> store.delete(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "../", "a/../", "a//", "~", "a b"})
  void aPrefixThatCouldLeadOutIsRejected(String prefix) {
    assertThatIllegalArgumentException().isThrownBy(() -> store.list(prefix, _ -> {}));
  }

  @Test
  void contentThatEndsEarlyLeavesNothing() throws IOException {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.put("a", 3, () -> new ByteArrayInputStream(bytes("12"))))
        .withMessageContaining("ended after 2 of 3 bytes");
    assertAbsent("a");
  }

  @Test
  void contentThatIsLongerLeavesNothing() throws IOException {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.put("a", 3, () -> new ByteArrayInputStream(bytes("1234"))))
        .withMessageContaining("longer");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.put("b", 0, () -> new ByteArrayInputStream(bytes("1"))))
        .withMessageContaining("longer");
    assertAbsent("a");
    assertAbsent("b");
  }

  @Test
  void contentThatThrowsLeavesWhatWasThere() throws IOException {
    store.put("a", bytes("before"));
    AtomicInteger opened = new AtomicInteger();
    int begun = 3 << 20;

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            store.put(
                "a",
                2L * begun,
                () -> {
                  opened.incrementAndGet();
                  return new SequenceInputStream(
                      new ByteArrayInputStream(new byte[begun]), new Unreadable());
                }))
        .withMessage("unreadable");

    assertThat(text("a")).isEqualTo("before");
    assertThat(opened).as("attempts").hasValue(1);
  }

  @Test
  void contentThatCannotBeOpenedIsNotStored() throws IOException {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            store.put(
                "a",
                1,
                () -> {
                  throw new IOException("unopened");
                }))
        .withMessage("unopened");
    assertAbsent("a");
  }

  @Test
  void aReadOfAWholeObjectIsBounded() throws IOException {
    store.put("a", bytes("1234"));

    assertThat(store.read("a", 4)).hasSize(4);
    assertThatExceptionOfType(ObjectStoreException.class)
        .isThrownBy(() -> store.read("a", 3))
        .withMessageContaining("more than the expected 3 bytes")
        .matches(e -> !e.isTransient());
  }

  /** A file on a failing disk. */
  private static final class Unreadable extends InputStream {
    @Override
    public int read() throws IOException {
      return read(new byte[1], 0, 1);
    }

    @Override
    public int read(byte[] into, int offset, int bytes) throws IOException {
      throw new IOException("unreadable");
    }
  }
}
