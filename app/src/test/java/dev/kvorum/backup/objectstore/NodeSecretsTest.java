package dev.kvorum.backup.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeSecretsTest {
  private static final StoreUrl URL = StoreUrl.parse("s3://bucket/prefix");

  @TempDir private Path directory;

  private NodeSecrets secrets() {
    return new NodeSecrets(
        Optional.of(directory),
        Map.of("AWS_ACCESS_KEY_ID", "variable", "AWS_SECRET_ACCESS_KEY", "hidden"));
  }

  private static StoreAccess own(NodeSecrets secrets) {
    return secrets.access(URL, null, null, null, null, null);
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(directory.resolve(file), text);
  }

  @Test
  void filesAreReadAtEachOrderBeforeVariables() throws IOException {
    NodeSecrets secrets = secrets();
    assertThat(own(secrets).credentials().accessKeyId()).isEqualTo("variable");
    write("AWS_ACCESS_KEY_ID", "first\n");
    write("AWS_SECRET_ACCESS_KEY", "hidden-1\n");
    assertThat(own(secrets).credentials())
        .isEqualTo(new Credentials("first", "hidden-1", Optional.empty()));
    write("AWS_ACCESS_KEY_ID", "second");
    write("AWS_SESSION_TOKEN", "token");
    assertThat(own(secrets).credentials())
        .isEqualTo(new Credentials("second", "hidden-1", Optional.of("token")));
    assertThat(secrets.access(URL, "ordered", "secret", null, null, null).credentials())
        .isEqualTo(new Credentials("ordered", "secret", Optional.empty()));
    assertThat(own(new NodeSecrets(Optional.empty(), Map.of())).credentials())
        .isEqualTo(Credentials.NONE);
  }

  @Test
  void anOrderNamesTheKeyThatTheNodeMustHave() throws IOException {
    EncryptionKey key = EncryptionKey.generate();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> secrets().access(URL, null, null, null, null, key.id()))
        .withMessageContaining("no file backup.key");
    write("backup.key", key.format() + "\n");
    assertThat(own(secrets()).key()).as("none is ordered").isEmpty();
    assertThat(secrets().access(URL, null, null, null, null, key.id()).key())
        .hasValueSatisfying(own -> assertThat(own.id()).isEqualTo(key.id()));
    EncryptionKey other = EncryptionKey.generate();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> secrets().access(URL, null, null, null, null, other.id()))
        .withMessage("this node has the encryption key " + key.id() + ", not " + other.id());
    assertThat(secrets().access(URL, null, null, null, other.format(), null).key())
        .hasValueSatisfying(ordered -> assertThat(ordered.id()).isEqualTo(other.id()));
  }
}
