package dev.kvorum.backup.tool;

import dev.kvorum.backup.objectstore.EncryptionKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code keygen}. */
@Command(
    name = "keygen",
    description = {
      "Writes a new key for the encryption of backups to a file that only its owner can read.",
      "Without the key, backups made with it are lost."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class KeygenCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "the file, which must not exist")
  private Path file = Path.of("");

  @Spec private @Nullable CommandSpec spec;

  KeygenCommand() {}

  @Override
  public Integer call() {
    EncryptionKey key = EncryptionKey.generate();
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, key.format() + "\n", StandardOpenOption.SYNC);
    } catch (FileAlreadyExistsException e) {
      throw KvorumBackup.wrong(file + " exists; a key that is in use must not be replaced");
    } catch (IOException | UnsupportedOperationException e) {
      throw KvorumBackup.failed(file + " cannot be written: " + e.getMessage());
    }
    Objects.requireNonNull(spec).commandLine().getOut().println("Key " + key.id() + " in " + file);
    return 0;
  }
}
