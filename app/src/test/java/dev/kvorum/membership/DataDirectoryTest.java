package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  private static final MemberId A = new MemberId("a");

  @TempDir private Path temporary;
  private Path directory = Path.of("");

  @BeforeEach
  void nameADirectoryThatIsNotThereYet() {
    directory = temporary.resolve("some/data");
  }

  private DataDirectory lock() {
    return DataDirectory.lock(directory, "c", A);
  }

  private void claim() {
    IdentityFile.claim(directory, "c", "", A, Seeds.random());
  }

  private static InstantSource at(long millis) {
    return InstantSource.fixed(Instant.ofEpochMilli(millis));
  }

  @Test
  void eachStartHasALargerGenerationWhateverTheClockShows() {
    claim();
    try (DataDirectory held = lock()) {
      assertThat(held.nextGeneration(at(5_000))).isEqualTo(5_000);
    }
    try (DataDirectory held = lock()) {
      assertThat(held.nextGeneration(at(10))).isEqualTo(5_001);
      assertThat(held.nextGeneration(at(10))).isEqualTo(5_002);
      assertThat(held.nextGeneration(at(9_000))).isEqualTo(9_000);
    }
  }

  @Test
  void aDirectoryOfAnEarlierVersionGetsItsFirstGeneration() {
    claim();
    try (DataDirectory held = lock()) {
      assertThat(held.nextGeneration(at(0))).isEqualTo(1);
    }
  }

  @Test
  void aCrashBetweenDraftAndRenameLosesNothing() throws IOException {
    try (DataDirectory held = lock()) {
      held.nextGeneration(at(7));
      Files.writeString(directory.resolve("generation.new"), "9");
      assertThat(held.nextGeneration(at(0))).isEqualTo(8);
    }
    assertThat(directory.resolve("generation.new")).doesNotExist();
  }

  @Test
  void aDamagedGenerationIsNotTakenForTheFirst() throws IOException {
    try (DataDirectory held = lock()) {
      Files.writeString(directory.resolve("generation"), "1x");
      assertThatThrownBy(() -> held.nextGeneration(at(0)))
          .isInstanceOf(ForeignDirectoryException.class)
          .hasMessageContaining("generation is corrupted");
    }
  }

  @Test
  void twoCannotHaveItAtATime() {
    try (DataDirectory held = lock()) {
      claim();
      held.nextGeneration(at(1));
      assertThatThrownBy(this::lock)
          .isInstanceOf(ForeignDirectoryException.class)
          .hasMessageContaining("another process is using it");
    }
    lock().close();
  }

  @Test
  void whatIsNoneOfItsDirectoriesIsNotChanged() throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("holiday.jpg"), "x");
    assertThatThrownBy(this::lock).hasMessageContaining("holiday.jpg");
    Files.delete(directory.resolve("holiday.jpg"));
    IdentityFile.claim(directory, "c", "", new MemberId("b"), Seeds.random());
    assertThatThrownBy(this::lock).hasMessageContaining("belongs to member b");
    assertThatThrownBy(() -> DataDirectory.lock(directory, "other", new MemberId("b")))
        .hasMessageContaining("belongs to cluster 'c'");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).extracting(Path::getFileName).containsExactly(Path.of("identity"));
    }
  }

  @Test
  void aLockIsKeptWhileAFormerMembersDataIsDeleted() {
    claim();
    try (DataDirectory held = lock()) {
      held.nextGeneration(at(1));
      DecommissionedDirectory decommissioned = new DecommissionedDirectory(directory);
      decommissioned.mark(3);
      decommissioned.wipe();
      assertThat(directory.resolve("identity")).doesNotExist();
      assertThatThrownBy(this::lock).hasMessageContaining("another process is using it");
    }
    lock().close();
    claim();
  }

  @Test
  void deniedAccessNamesThePathAndTheRemedy() {
    assertThat(DataDirectory.unusable(directory, new AccessDeniedException("/data/identity")))
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("access to /data/identity was denied")
        .hasMessageContaining("grant the user of the node read and write access to the directory");
  }
}
