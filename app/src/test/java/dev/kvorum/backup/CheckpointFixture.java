package dev.kvorum.backup;

import dev.kvorum.storage.engine.EngineException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** A member whose store is a directory of files, which a checkpoint links. */
final class CheckpointFixture implements BackupSource {
  static final BackupMember MEMBER =
      new BackupMember("kvorum", "kvorum-0", "1", Duration.ofHours(4));

  private final Path store;
  State state = new State(1, true, true);
  Runnable meanwhile = () -> {};
  Instant now = Instant.EPOCH;

  CheckpointFixture(Path store) throws IOException {
    this.store = Files.createDirectories(store);
  }

  void write(String name, String text) throws IOException {
    Files.deleteIfExists(store.resolve(name));
    Files.writeString(store.resolve(name), text);
  }

  void delete(String name) throws IOException {
    Files.delete(store.resolve(name));
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public void checkpoint(Path directory) throws EngineException {
    try (Stream<Path> files = Files.list(store)) {
      Files.createDirectory(directory);
      for (Path file : files.toList()) {
        Files.createLink(directory.resolve(file.getFileName()), file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    meanwhile.run();
  }

  @Override
  public long newestStamp() {
    return 5;
  }

  @Override
  public long purgedUpTo() {
    return 2;
  }

  @Override
  public Instant now() {
    return now;
  }
}
