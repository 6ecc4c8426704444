package dev.kvorum.backup.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvorum.backup.objectstore.ObjectStoreException.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a server that is a process of its own. */
class S3ObjectsTest extends ObjectStoreContract {
  @TempDir private static Path temporary;

  private static VersityServer server;
  private final StoreUrl.Bucket bucket = newBucket();

  private static StoreUrl.Bucket newBucket() {
    return server.newBucket();
  }

  @BeforeAll
  static void startServer() throws IOException {
    server = VersityServer.start(temporary);
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  ObjectStore open() throws IOException {
    return S3Objects.open(bucket, server.credentials(), PAGE);
  }

  @Test
  void objectsAreBelowThePrefix() throws IOException {
    store.put("a/b", bytes("1"));

    assertThat(server.directory(bucket).resolve("some/prefix/a/b")).hasContent("1");
  }

  @Test
  void whatOthersKeepInTheBucketIsNotListed() throws IOException {
    store.put("a", bytes("1"));
    Path directory = server.directory(bucket);
    Files.writeString(directory.resolve("some/prefix/not ours"), "1");
    Files.writeString(directory.resolve("some/prefixed"), "1");

    assertThat(names("")).containsExactly("a");
  }

  @Test
  void anAbsentBucketIsNamed() throws IOException {
    try (ObjectStore absent = S3Objects.open(server.bucket("absent"), server.credentials())) {
      assertFails(() -> absent.put("a", bytes("1")), Reason.NOT_FOUND, "bucket absent at http:");
      assertFails(() -> absent.get("a"), Reason.NOT_FOUND, "cannot read a in bucket absent");
      assertFails(() -> absent.list("", _ -> {}), Reason.NOT_FOUND, "check the bucket's name");
      assertFails(() -> absent.delete("a"), Reason.NOT_FOUND, "bucket absent");
    }
  }

  @Test
  void aWrongSecretIsDenied() throws IOException {
    Credentials wrong =
        new Credentials(server.credentials().accessKeyId(), "wrong-secret", Optional.empty());
    byte[] large = new byte[8 << 20];
    try (ObjectStore denied = S3Objects.open(bucket, wrong)) {
      assertFails(() -> denied.put("a", bytes("1")), Reason.DENIED, "check AWS_ACCESS_KEY_ID");
      assertFails(
          () -> denied.put("a", large.length, () -> new ByteArrayInputStream(large)),
          Reason.DENIED,
          "SignatureDoesNotMatch");
      assertFails(() -> denied.get("a"), Reason.DENIED, "SignatureDoesNotMatch");
      assertFails(() -> denied.list("", _ -> {}), Reason.DENIED, "SignatureDoesNotMatch");
      assertFails(() -> denied.delete("a"), Reason.DENIED, "SignatureDoesNotMatch");
    }
    assertThat(names("")).isEmpty();
  }

  @Test
  void anEncryptedObjectIsStreamed() throws IOException {
    byte[] plain = new byte[3 << 20];
    ObjectStore encrypted = new EncryptedObjects(store, EncryptionKey.generate());

    encrypted.put("a", plain);

    assertThat(encrypted.read("a", plain.length)).isEqualTo(plain);
    store.list(
        "",
        object ->
            assertThat(object.bytes()).isEqualTo(EncryptedObjects.encryptedLength(plain.length)));
  }

  private static void assertFails(ThrowingCallable call, Reason reason, String sentence) {
    assertThatExceptionOfType(ObjectStoreException.class)
        .isThrownBy(call)
        .matches(e -> e.reason() == reason, "of reason " + reason)
        .matches(e -> !e.isTransient())
        .withMessageContaining(sentence)
        .withMessageNotContaining("wrong-secret");
  }
}
