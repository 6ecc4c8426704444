package dev.kvorum.backup.objectstore;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.io.TempDir;

/** Encryption changes nothing of what a store does. */
class EncryptedVolumeTest extends ObjectStoreContract {
  @TempDir private Path temporary;

  @Override
  ObjectStore open() throws IOException {
    ObjectStore volume = VolumeObjects.open(temporary, Clock.systemUTC(), PAGE);
    return new EncryptedObjects(volume, EncryptionKey.generate());
  }

  @Override
  int largeBytes() {
    return 5 << 20; // encryption is slow in a JVM without C2, as tests have it
  }
}
