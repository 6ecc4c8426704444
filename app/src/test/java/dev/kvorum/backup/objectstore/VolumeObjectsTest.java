package dev.kvorum.backup.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kvorum.backup.objectstore.ObjectStoreException.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeObjectsTest extends ObjectStoreContract {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir private Path temporary;

  @Override
  ObjectStore open() throws IOException {
    return VolumeObjects.open(directory(), Clock.fixed(NOW, ZoneOffset.UTC), PAGE);
  }

  /** Neither it nor its parent is there at first. */
  private Path directory() {
    return temporary.resolve("made/volume");
  }

  private List<Path> unfinished() throws IOException {
    try (Stream<Path> files = Files.list(directory().resolve(VolumeObjects.UNFINISHED))) {
      return files.toList();
    }
  }

  private static Reason reason(ThrowingCall call) {
    return assertThatExceptionOfType(ObjectStoreException.class)
        .isThrownBy(call::run)
        .actual()
        .reason();
  }

  private interface ThrowingCall {
    void run() throws Exception;
  }

  @Test
  void theUrlNamesTheDirectory() throws IOException {
    store.put("a", bytes("1"));

    StoreUrl url = StoreUrl.parse("file://" + directory());
    try (ObjectStore other = ObjectStore.open(url, Credentials.NONE)) {
      assertThat(other.read("a", 1)).isEqualTo(bytes("1"));
    }
  }

  @Test
  void anObjectIsAFileOfItsName() throws IOException {
    store.put("a/b", bytes("1"));

    assertThat(directory().resolve("a/b")).hasContent("1");
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void failedContentLeavesNoFile() throws IOException {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.put("a", 3, () -> new ByteArrayInputStream(bytes("12"))));
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void aDeletionTakesDirectoriesAlongThatAreEmpty() throws IOException {
    store.put("a/b/c", bytes("1"));
    store.put("a/d", bytes("1"));
    store.delete("a/b/c");

    assertThat(directory().resolve("a/b")).doesNotExist();
    assertThat(directory().resolve("a")).exists();
  }

  @Test
  void anObjectIsInvisibleWhileItIsWritten() throws IOException {
    store.put(
        "a",
        3,
        () ->
            new SequenceInputStream(
                new ByteArrayInputStream(bytes("12")),
                new ByteArrayInputStream(bytes("3")) {
                  @Override
                  public synchronized int read(byte[] into, int offset, int bytes) {
                    try {
                      assertAbsent("a");
                    } catch (IOException e) {
                      throw new AssertionError(e);
                    }
                    return super.read(into, offset, bytes);
                  }
                }));

    assertThat(text("a")).isEqualTo("123");
  }

  @Test
  void whatAKilledProcessLeftIsInvisibleAndRemovedAfterADay() throws Exception {
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                directory().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(writer.getInputStream().read()).isEqualTo('w');
    writer.destroyForcibly();
    assertThat(writer.waitFor(10, TimeUnit.SECONDS)).isTrue();

    assertAbsent("a");
    assertThat(unfinished()).hasSize(1);
    Path left = unfinished().getFirst();
    assertThat(left).isNotEmptyFile();

    Files.setLastModifiedTime(left, FileTime.from(NOW.minus(Duration.ofHours(23))));
    open().close();
    assertThat(unfinished()).as("may still be written").hasSize(1);

    Files.setLastModifiedTime(left, FileTime.from(NOW.minus(Duration.ofHours(25))));
    open().close();
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Path outside = Files.createDirectory(temporary.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "1");
    Files.createSymbolicLink(directory().resolve("out"), outside);
    Files.createSymbolicLink(directory().resolve("file"), outside.resolve("secret"));

    assertThat(reason(() -> store.get("out/secret"))).isEqualTo(Reason.INVALID);
    assertThat(reason(() -> store.get("file"))).isEqualTo(Reason.INVALID);
    assertThat(reason(() -> store.put("out/more", bytes("1")))).isEqualTo(Reason.INVALID);
    assertThat(reason(() -> store.delete("out/secret"))).isEqualTo(Reason.INVALID);
    assertThat(reason(() -> store.list("out/", _ -> {}))).isEqualTo(Reason.INVALID);
    assertThat(names("")).isEmpty();
    assertThat(outside.resolve("more")).doesNotExist();
    assertThat(outside.resolve("secret")).exists();
  }

  @Test
  void theDirectoryItselfMayBeALink() throws IOException {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), directory());
    try (ObjectStore linked = VolumeObjects.open(link, Clock.systemUTC())) {
      linked.put("a", bytes("1"));
    }
    assertThat(text("a")).isEqualTo("1");
  }

  @Test
  void aNameThatOthersBeginWithIsRejected() throws IOException {
    store.put("a/b", bytes("1"));
    store.put("c", bytes("1"));

    assertThat(reason(() -> store.put("a", bytes("2")))).isEqualTo(Reason.INVALID);
    assertThat(reason(() -> store.put("c/d", bytes("2")))).isEqualTo(Reason.INVALID);
    assertAbsent("c/d");
    assertThat(store.delete("c/d")).isFalse();
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void aVolumeThatIsGoneIsNotTakenForAnEmptyOne() throws IOException {
    store.put("a", bytes("1"));
    Files.move(directory(), temporary.resolve("unmounted"));

    assertThat(reason(() -> store.get("a"))).isEqualTo(Reason.NOT_FOUND);
    assertThat(reason(() -> store.list("", _ -> {}))).isEqualTo(Reason.NOT_FOUND);
    assertThat(reason(() -> store.delete("a"))).isEqualTo(Reason.NOT_FOUND);
    assertThat(reason(() -> store.put("b", bytes("1")))).isEqualTo(Reason.NOT_FOUND);
    assertThat(directory()).doesNotExist();
  }

  @Test
  void aFileIsNoDirectoryToOpen() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "1");

    assertThat(reason(() -> VolumeObjects.open(file, Clock.systemUTC()))).isEqualTo(Reason.INVALID);
  }

  @Test
  void missingPermissionIsNamed() throws IOException {
    store.put("a", bytes("1"));
    Path unfinished = directory().resolve(VolumeObjects.UNFINISHED);
    Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("r-x------"));
    assumeFalse(Files.isWritable(unfinished), "root may write anywhere");

    assertThatExceptionOfType(ObjectStoreException.class)
        .isThrownBy(() -> store.put("b", bytes("1")))
        .withMessageContaining("cannot store b in " + directory().toRealPath())
        .withMessageContaining("access is denied")
        .matches(e -> e.reason() == Reason.DENIED);
  }

  @Test
  void failuresAreToldApart() {
    VolumeFailures failures = new VolumeFailures(temporary);

    assertThat(failures.of("write", new AccessDeniedException("/f")).reason())
        .isEqualTo(Reason.DENIED);
    assertThat(failures.of("write", new IOException("No space left on device")).reason())
        .isEqualTo(Reason.FULL);
    FileSystemException quota = new FileSystemException("/f", null, "Disk quota exceeded");
    assertThat(failures.of("write", quota).reason()).isEqualTo(Reason.FULL);
    FileSystemException readOnly = new FileSystemException("/f", null, "Read-only file system");
    assertThat(failures.of("write", readOnly).reason()).isEqualTo(Reason.DENIED);
    IOException stale = new IOException("Stale file handle");
    assertThat(failures.of("write", stale).reason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(failures.of("write", stale).isTransient()).isTrue();
  }
}
