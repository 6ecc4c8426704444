package dev.kvorum.backup.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptedObjectsTest {
  private static final int FRAME = EncryptedFormat.FRAME;
  private static final int FRAMED = FRAME + EncryptedFormat.TAG;
  private static final int HEADER = EncryptedFormat.HEADER;

  @TempDir private Path directory;

  private final EncryptionKey key = EncryptionKey.generate();
  private ObjectStore store;

  @BeforeEach
  void open() throws IOException {
    store = with(key);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private ObjectStore with(EncryptionKey other) throws IOException {
    return new EncryptedObjects(VolumeObjects.open(directory, Clock.systemUTC()), other);
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    return random;
  }

  private byte[] stored(String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }

  private void store(String name, byte[] bytes) throws IOException {
    Files.write(directory.resolve(name), bytes);
  }

  private void assertDamaged(String name, String sentence) {
    assertThatExceptionOfType(CorruptedObjectException.class)
        .isThrownBy(() -> store.read(name, 10 * FRAME))
        .withMessageStartingWith("object " + name)
        .withMessageContaining(sentence);
  }

  private void assertDetected(UnaryOperator<byte[]> change, String sentence) throws IOException {
    store.put("a", random(3 * FRAME));
    store("a", change.apply(stored("a")));
    assertDamaged("a", sentence);
  }

  private static byte[] joined(byte[]... parts) {
    byte[] joined = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, joined, at, part.length);
      at += part.length;
    }
    return joined;
  }

  private static byte[] header(byte[] all) {
    return Arrays.copyOf(all, HEADER);
  }

  private static byte[] frame(byte[] all, int number) {
    int from = HEADER + number * FRAMED;
    return Arrays.copyOfRange(all, from, Math.min(all.length, from + FRAMED));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, FRAME - 1, FRAME, FRAME + 1, 3 * FRAME, 3 * FRAME + 7})
  void whatIsReadIsWhatWasStored(int bytes) throws IOException {
    byte[] plain = random(bytes);

    store.put("a", plain);

    assertThat(store.read("a", bytes)).isEqualTo(plain);
    assertThat(stored("a")).hasSize((int) EncryptedObjects.encryptedLength(bytes));
    store.list("", object -> assertThat(object.bytes()).isEqualTo(bytes));
  }

  @Test
  void itIsReadInPiecesAndByBytes() throws IOException {
    byte[] plain = random(FRAME + 100);
    store.put("a", plain);

    try (InputStream in = store.get("a")) {
      assertThat(in.read()).isEqualTo(Byte.toUnsignedInt(plain[0]));
      in.skipNBytes(FRAME - 2);
      assertThat(in.readNBytes(3)).isEqualTo(Arrays.copyOfRange(plain, FRAME - 1, FRAME + 2));
      assertThat(in.readAllBytes()).hasSize(98);
      assertThat(in.read()).isNegative();
    }
  }

  @Test
  void contentIsNotSeenAndNeverEncryptedAlike() throws IOException {
    byte[] plain = new byte[1000];
    store.put("a", plain);
    byte[] before = stored("a");
    store.put("a", plain);

    assertThat(Arrays.copyOfRange(before, HEADER, HEADER + 16)).isNotEqualTo(new byte[16]);
    assertThat(frame(stored("a"), 0)).isNotEqualTo(frame(before, 0));
  }

  @Test
  void anotherKeyIsNamed() throws IOException {
    store.put("a", random(10));
    EncryptionKey other = EncryptionKey.generate();

    try (ObjectStore wrong = with(other)) {
      assertThatExceptionOfType(CorruptedObjectException.class)
          .isThrownBy(() -> wrong.read("a", 10))
          .withMessage(
              "object a is encrypted with another key: " + key.id() + ", not " + other.id());
    }
  }

  @Test
  void everyByteCounts() throws IOException {
    store.put("a", random(20));
    byte[] good = stored("a");

    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 1;
      store("a", bad);
      assertDamaged("a", "");
    }
  }

  @Test
  void everyCutIsDetected() throws IOException {
    store.put("a", random(20));
    byte[] good = stored("a");

    for (int length = 0; length < good.length; length++) {
      store("a", Arrays.copyOf(good, length));
      assertDamaged("a", "");
    }
  }

  @Test
  void whatIsNotEncryptedIsNamed() throws IOException {
    store("a", "{\"format\": 1, and some more text that is longer than a header}".getBytes(UTF_8));
    assertDamaged("a", "is not encrypted");
  }

  @Test
  void aNewerFormatIsNamed() throws IOException {
    store.put("a", random(10));
    byte[] bytes = stored("a");
    bytes[8] = 2;
    store("a", bytes);
    assertDamaged("a", "unknown format 2");
  }

  @Test
  void aCutBetweenFramesIsDetected() throws IOException {
    assertDetected(all -> Arrays.copyOf(all, HEADER + 2 * FRAMED), "at frame 1");
    assertDetected(all -> header(all), "at frame 0");
  }

  @Test
  void aMissingFirstFrameIsDetected() throws IOException {
    assertDetected(all -> joined(header(all), frame(all, 1), frame(all, 2)), "at frame 0");
  }

  @Test
  void swappedFramesAreDetected() throws IOException {
    assertDetected(
        all -> joined(header(all), frame(all, 1), frame(all, 0), frame(all, 2)), "at frame 0");
  }

  @Test
  void aRepeatedFrameIsDetected() throws IOException {
    assertDetected(
        all -> joined(header(all), frame(all, 0), frame(all, 1), frame(all, 1), frame(all, 2)),
        "at frame 2");
  }

  @Test
  void whatFollowsTheLastFrameIsDetected() throws IOException {
    assertDetected(all -> joined(all, new byte[1]), "at frame 2");
    assertDetected(all -> joined(all, frame(all, 2)), "at frame 2");
  }

  @Test
  void aFrameOfAnotherObjectIsDetected() throws IOException {
    store.put("b", random(3 * FRAME));
    byte[] other = stored("b");
    assertDetected(
        all -> joined(header(all), frame(other, 0), frame(all, 1), frame(all, 2)), "at frame 0");
  }

  @Test
  void anObjectUnderAnotherNameIsDetected() throws IOException {
    store.put("b", random(10));
    store("a", stored("b"));
    assertDamaged("a", "stored under another name");
  }

  /** Two contents under one key and nonce would reveal their difference. */
  @Test
  void anAttemptDoesNotUseTheSaltOfTheOneBefore() throws IOException {
    Twice twice = new Twice();
    try (ObjectStore encrypted = new EncryptedObjects(twice, key)) {
      encrypted.put("a", 3, () -> new ByteArrayInputStream(new byte[3]));
    }
    assertThat(twice.first).isNotEqualTo(twice.second).hasSameSizeAs(twice.second);
  }

  /** Opens content as for a retry. */
  private static final class Twice implements ObjectStore {
    byte[] first = {};
    byte[] second = {};

    @Override
    public void put(String name, long length, Content content) throws IOException {
      try (InputStream in = content.open()) {
        first = in.readAllBytes();
      }
      try (InputStream in = content.open()) {
        second = in.readAllBytes();
      }
    }

    @Override
    public InputStream get(String name) throws IOException {
      throw new NoSuchObjectException(name);
    }

    @Override
    public void list(String prefix, Consumer<StoredObject> each) {}

    @Override
    public boolean delete(String name) {
      return false;
    }

    @Override
    public void close() {}
  }
}
